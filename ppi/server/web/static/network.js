// Mentions merged into proteins and pairs, for the explorer of the network.

import { NetworkExplorer, supportOf } from "./explorer.js";
import { identifiersOf, kindOf, remark, speciesOf } from "./identity.js";
import { isDirected, labelOf, places, signBetween } from "./relationship.js";

// The same as ppi.network: a paper counts by its most probable sentence, papers are combined by noisy-or, apart from the
// share of pairs that are misread wherever they stand (error); each type and direction is an edge of its own.  What a
// sentence denies supports none, and neither do two names of one protein.
export function merged(interactions, error) {
  const edges = new Map();
  for (const one of interactions.filter((each) => !each.negated && !each.same)) {
    const directed = isDirected(one);
    const ends = places(one).map((place) => one.keys[place]);
    const [source, target] = directed ? ends : ends.sort();
    const key = JSON.stringify([source, target, directed, labelOf(one)]);
    const { type, sign, kind } = one;
    if (!edges.has(key)) {
      edges.set(key, { id: key, source, target, directed, type, sign, kind, papers: new Map(), sentences: new Set(), best: one });
    }
    const edge = edges.get(key);
    edge.papers.set(one.document, Math.max(edge.papers.get(one.document) || 0, probabilityOf(one)));
    edge.sentences.add(JSON.stringify([one.document, one.sentence_id]));
    if (probabilityOf(one) > probabilityOf(edge.best)) edge.best = one;
  }
  for (const edge of edges.values()) {
    const papers = [...edge.papers.values()];
    const wrong = papers.reduce((product, p) => product * (1 - Math.min(1, p / (1 - error))), 1);
    edge.probability = Math.max(...papers, (1 - error) * (1 - wrong));
    edge.support = supportOf(edge.probability, edge.sentences.size, edge.papers.size);
    Object.assign(edge, { between: signBetween(edge), words: labelOf(edge) });
  }
  return [...edges.values()].sort((a, b) => b.probability - a.probability);
}

const probabilityOf = (one) => one.types?.[one.type] ?? one.probability;

export class Network {
  constructor(root, open) {
    const empty = "No pair at this threshold. Move the slider to the left, or choose more types, to see some.";
    this.explorer = new NetworkExplorer(root, { open: (edge) => open(edge.best), empty });
  }

  // All interactions of a result: who is who.
  know(interactions, error) {
    this.error = error;
    this.proteins = proteinsIn(interactions);
  }

  // Those that are to be seen.
  show(interactions) {
    this.explorer.show(merged(interactions, this.error), this.proteins);
  }
}

// By key: the symbol or the commonest name, and what mentions are known as.
function proteinsIn(interactions) {
  const mentions = new Map();
  for (const one of interactions) {
    one.keys.forEach((key, side) => {
      if (!mentions.has(key)) mentions.set(key, []);
      mentions.get(key).push(one.proteins[side]);
    });
  }
  return new Map([...mentions].map(([key, list]) => [key, protein(list)]));
}

function protein(mentions) {
  const counts = new Map();
  for (const { text } of mentions) counts.set(text, (counts.get(text) || 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const known = mentions.find((mention) => mention.identifiers?.length === 1);
  return {
    label: (known && remark(known, "symbol")) || names[0], names,
    identifiers: known ? identifiersOf(known) : [],
    species: known ? speciesOf(known) : "",
    kind: kindOf(known || mentions[0]),
  };
}
