// Written for this page.

export const EXAMPLE = `Profilin binds monomeric actin and inhibits its polymerization. In dividing cells RhoA activates the formin mDia1, which in turn recruits profilin to the growing barbed end. Cofilin, by contrast, severs actin filaments and is inactivated when LIMK1 phosphorylates it.

We asked whether ROCK1 links these two branches. ROCK1 phosphorylated LIMK1 in vitro, and the kinase-dead mutant did not. RhoA interacted with ROCK1 in yeast two-hybrid assays and in cell lysates. No interaction between mDia1 and cofilin was detected, although both proteins were expressed in the same cells.`;
