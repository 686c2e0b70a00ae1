// A protein's page: who it is, its partners by type, and the network around it.

import { asked, queryOf } from "./api.js";
import { card, emptyNote, pairAddress, pairsTable, support } from "./database_parts.js";
import { asProbability, counted, element } from "./dom.js";
import { NetworkExplorer } from "./explorer.js";
import { identityLine } from "./identity.js";
import { labelOf, signBetween } from "./relationship.js";

export async function proteinPage(context) {
  const key = context.values.get("key") || "";
  const { protein, types } = await (await asked("/api/database/protein", { key }, context.report)).json();
  const network = element("div", { class: "network" });
  return {
    title: protein.label,
    parts: [
      head(protein),
      ...(types.length ? types.map((type) => ofType(protein, type)) : [card(null, emptyNote("No sentence states an interaction of it.", "What is denied or supposed can be searched for."))]),
      card("Network", stepLinks(key, stepsOf(context)), network),
    ],
    shown: () => drawNetwork(network, key, stepsOf(context)),
    download: { wanted: { protein: key }, what: `All sentences that state an interaction of ${protein.label}.` },
  };
}

function head(protein) {
  const counts = [counted(protein.partners, "partner", "partners"), counted(protein.papers, "paper", "papers"), counted(protein.sentences, "sentence", "sentences")];
  return element("section", { class: "card head" }, element("h1", { id: "heading", tabindex: "-1" }, protein.label),
    identityLine(protein), element("p", { class: "hint" }, counts.join(" · ")),
    element("p", {}, element("a", { href: `/database?${queryOf({ protein: protein.key, show: "sentences" })}` }, "All its sentences")));
}

function ofType(protein, { type, count, papers, sentences, pairs }) {
  const all = `/database?${queryOf({ protein: protein.key, type })}`;
  const title = type ? type[0].toUpperCase() + type.slice(1) : "Interactions";
  return card(`${title}: ${counted(count, "pair", "pairs")}`,
    element("p", { class: "hint" }, `${counted(papers, "paper", "papers")}, ${counted(sentences, "sentence", "sentences")}`),
    pairsTable(pairs, `${title} of ${protein.label}; each leads to its sentences.`),
    ...(count > pairs.length ? [element("p", {}, element("a", { href: all }, `All ${counted(count, "pair", "pairs")}`))] : []));
}

const stepsOf = (context) => (context.values.get("steps") === "2" ? 2 : 1);

function stepLinks(key, steps) {
  const link = (number, text) => element("a", {
    href: `/database/protein?${queryOf({ key, steps: number })}`, "aria-current": steps === number ? "true" : null,
  }, text);
  return element("p", { class: "steps" }, link(1, "one step around it"), link(2, "two steps"));
}

async function drawNetwork(root, key, steps) {
  const answer = await (await asked("/api/database/network", { key, steps })).json();
  const proteins = new Map(answer.proteins.map((protein) => [protein.key, protein]));
  const edges = answer.pairs.map((pair, number) => ({
    ...pair, id: number, source: pair.source.key, target: pair.target.key, between: signBetween(pair), words: labelOf(pair),
    support: `${asProbability(pair.probability)}, ${support(pair)}`,
  }));
  const explorer = new NetworkExplorer(root, {
    open: (edge) => location.assign(pairAddress(edge.source, edge.target)), empty: "No paper states an interaction of it.",
  });
  explorer.show(edges, proteins);
}
