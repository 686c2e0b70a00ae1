// Mentions merged into proteins, drawn as a graph.  Places are found once, so that nothing jumps when the slider moves.

import { asProbability, counted, svgElement } from "./dom.js";
import { extent, layout } from "./layout.js";

const MOST_NODES = 80;
const [ABOVE, BELOW] = [30, 60]; // beyond the outermost nodes

// The same as ppi.network: a paper counts by its most probable sentence, papers are combined by noisy-or.
export function merged(interactions) {
  const edges = new Map();
  for (const one of interactions) {
    const [source, target] = [...one.keys].sort();
    const key = JSON.stringify([source, target]);
    if (!edges.has(key)) edges.set(key, { source, target, papers: new Map(), sentences: new Set(), best: one });
    const edge = edges.get(key);
    edge.papers.set(one.document, Math.max(edge.papers.get(one.document) || 0, one.probability));
    edge.sentences.add(JSON.stringify([one.document, one.sentence_id]));
    if (one.probability > edge.best.probability) edge.best = one;
  }
  for (const edge of edges.values()) {
    edge.probability = 1 - [...edge.papers.values()].reduce((product, p) => product * (1 - p), 1);
  }
  return [...edges.values()].sort((a, b) => b.probability - a.probability);
}

export class NetworkDrawing {
  constructor(container, note, open) {
    Object.assign(this, { container, note, open, places: new Map(), labels: new Map() });
  }

  // All interactions of a result: finds the places.
  lay(interactions) {
    this.labels = commonestNames(interactions);
    this.width = Math.max(300, this.container.clientWidth);
    this.places = layout(merged(interactions), { width: this.width, most: MOST_NODES });
  }

  // Those that are to be seen.
  show(interactions) {
    const all = merged(interactions).filter((edge) => this.places.has(edge.source) && this.places.has(edge.target));
    const edges = all.filter((edge) => edge.source !== edge.target);
    const nodes = [...new Set(edges.flatMap((edge) => [edge.source, edge.target]))];
    const proteins = new Set(interactions.flatMap((one) => one.keys)).size;
    this.note.textContent = describe(nodes.length, edges.length, proteins);
    this.container.replaceChildren(...(nodes.length ? [this.drawing(nodes, edges)] : []));
  }

  drawing(nodes, edges) {
    const [left, right] = extent(nodes.map((node) => this.places.get(node).x));
    const [top, bottom] = extent(nodes.map((node) => this.places.get(node).y));
    const svg = svgElement("svg", {
      viewBox: `${(left + right - this.width) / 2} ${top - ABOVE} ${this.width} ${bottom - top + ABOVE + BELOW}`, role: "img",
      "aria-label": `Network of ${this.note.textContent} The table above lists the same pairs.`,
    });
    svg.append(...edges.map((edge) => this.edge(edge)));
    const degree = new Map(nodes.map((node) => [node, 0]));
    for (const { source, target } of edges) for (const node of [source, target]) degree.set(node, degree.get(node) + 1);
    svg.append(...nodes.map((node) => this.node(node, degree.get(node))));
    return svg;
  }

  edge(edge) {
    const [a, b] = [this.places.get(edge.source), this.places.get(edge.target)];
    const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
    const names = `${this.labels.get(edge.source)} – ${this.labels.get(edge.target)}`;
    const numbers = `${asProbability(edge.probability)}, ${counted(edge.sentences.size, "sentence", "sentences")}, `
      + counted(edge.papers.size, "document", "documents");
    const line = svgElement("line", { class: "edge", ...ends });
    line.style.strokeWidth = 1 + 4 * edge.probability;
    line.style.strokeOpacity = 0.25 + 0.75 * edge.probability;
    return svgElement("g", { class: "link", onclick: () => this.open(edge.best) },
      line, svgElement("line", { class: "touch", ...ends }), svgElement("title", {}, `${names}: ${numbers}`));
  }

  node(node, degree) {
    const { x, y } = this.places.get(node);
    const label = this.labels.get(node);
    const short = label.length > 15 ? `${label.slice(0, 14)}…` : label;
    return svgElement("g", { class: "node" },
      svgElement("circle", { cx: x, cy: y, r: 7 + 2 * Math.min(degree, 6) }),
      svgElement("text", { x, y: y + 24 + 2 * Math.min(degree, 6), "text-anchor": "middle" }, short),
      svgElement("title", {}, label));
  }
}

function describe(nodes, edges, proteins) {
  if (!nodes) return "No pair of different proteins at this threshold.";
  const hidden = proteins > nodes ? ` ${counted(proteins - nodes, "protein is", "proteins are")} left out.` : "";
  return `${counted(nodes, "protein", "proteins")} and ${counted(edges, "pair", "pairs")}; the thicker the line, the more probable.${hidden}`;
}

function commonestNames(interactions) {
  const counts = new Map();
  for (const one of interactions) {
    one.keys.forEach((protein, side) => {
      const names = counts.get(protein) || counts.set(protein, new Map()).get(protein);
      names.set(one.names[side], (names.get(one.names[side]) || 0) + 1);
    });
  }
  return new Map([...counts].map(([protein, names]) => [protein, [...names].sort((a, b) => b[1] - a[1])[0][0]]));
}
