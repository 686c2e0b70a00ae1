// Mentions merged into proteins, drawn as a graph.  Places are found once, so that nothing jumps when the slider moves.

import { asProbability, counted, svgElement } from "./dom.js";
import { extent, layout } from "./layout.js";
import { isDirected, labelOf, places, signBetween } from "./relationship.js";

const MOST_NODES = 80;
const [ABOVE, BELOW] = [30, 60]; // beyond the outermost nodes
const BEND = 30; // between neighbouring lines, at the middle
const LABEL = 18;

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
      edges.set(key, { source, target, directed, type, sign, kind, papers: new Map(), sentences: new Set(), best: one });
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
  }
  return [...edges.values()].sort((a, b) => b.probability - a.probability);
}

const probabilityOf = (one) => one.types?.[one.type] ?? one.probability;

export class NetworkDrawing {
  constructor(container, note, open) {
    Object.assign(this, { container, note, open, places: new Map(), labels: new Map() });
  }

  // All interactions of a result: finds the places.
  lay(interactions, error) {
    this.error = error;
    this.labels = commonestNames(interactions);
    this.width = Math.max(300, this.container.clientWidth);
    this.places = layout(merged(interactions, error), { width: this.width, most: MOST_NODES });
  }

  // Those that are to be seen.
  show(interactions) {
    const all = merged(interactions, this.error).filter((edge) => this.places.has(edge.source) && this.places.has(edge.target));
    const edges = all.filter((edge) => edge.source !== edge.target);
    const nodes = [...new Set(edges.flatMap((edge) => [edge.source, edge.target]))];
    const proteins = new Set(interactions.filter((one) => !one.negated).flatMap((one) => one.keys)).size;
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
    const degree = new Map(nodes.map((node) => [node, 0]));
    for (const { source, target } of edges) for (const node of [source, target]) degree.set(node, degree.get(node) + 1);
    const bends = bendsOf(edges);
    svg.append(...edges.map((edge, n) => this.edge(edge, bends[n], radius(degree.get(edge.target)))));
    svg.append(...nodes.map((node) => this.node(node, degree.get(node))));
    return svg;
  }

  edge(edge, bend, room) {
    const { d, head } = curve(this.places.get(edge.source), this.places.get(edge.target), edge, bend, room);
    const names = `${this.labels.get(edge.source)} ${signBetween(edge)} ${this.labels.get(edge.target)}`;
    const what = edge.type ? `${labelOf(edge)}, ` : "";
    const numbers = `${asProbability(edge.probability)}, ${counted(edge.sentences.size, "sentence", "sentences")}, `
      + counted(edge.papers.size, "document", "documents");
    const line = svgElement("path", { class: "edge", d });
    line.style.strokeWidth = 1 + 4 * edge.probability;
    line.style.strokeOpacity = 0.25 + 0.75 * edge.probability;
    return svgElement("g", { class: "link", "data-type": edge.type, onclick: () => this.open(edge.best) },
      line, ...(head ? [svgElement("path", { class: "head", d: head })] : []),
      svgElement("path", { class: "touch", d }), svgElement("title", {}, `${names}: ${what}${numbers}`));
  }

  node(node, degree) {
    const { x, y } = this.places.get(node);
    const label = this.labels.get(node);
    const short = label.length > 15 ? `${label.slice(0, 14)}…` : label;
    return svgElement("g", { class: "node" },
      svgElement("circle", { cx: x, cy: y, r: radius(degree) }),
      svgElement("text", { x, y: y + 24 + 2 * Math.min(degree, 6), "text-anchor": "middle" }, short),
      svgElement("title", {}, label));
  }
}

const radius = (degree) => 7 + 2 * Math.min(degree, 6);

// Edges between the same two proteins are bent apart, each counted from the same side.
function bendsOf(edges) {
  const between = new Map();
  for (const edge of edges) {
    const key = JSON.stringify([edge.source, edge.target].sort());
    between.set(key, [...(between.get(key) || []), edge]);
  }
  return edges.map((edge) => {
    const beside = between.get(JSON.stringify([edge.source, edge.target].sort()));
    return (edge.source < edge.target ? 1 : -1) * (beside.indexOf(edge) - (beside.length - 1) / 2);
  });
}

// The line, and what is at its end: an arrow, or a bar for a negative regulation.
function curve(a, b, edge, bend, room) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const aside = (BEND * bend) / length;
  const middle = { x: (a.x + b.x) / 2 - aside * (b.y - a.y), y: (a.y + b.y) / 2 + aside * (b.x - a.x) };
  const left = Math.hypot(b.x - middle.x, b.y - middle.y) || 1;
  const [dx, dy] = [(b.x - middle.x) / left, (b.y - middle.y) / left];
  // labels stand below their nodes, so what comes from below ends before them
  const gap = edge.directed ? room + 3 + LABEL * Math.max(0, -dy) : 0;
  const tip = { x: b.x - gap * dx, y: b.y - gap * dy };
  const at = (along, across) => `${tip.x - along * dx - across * dy} ${tip.y - along * dy + across * dx}`;
  const d = `M${a.x} ${a.y}Q${middle.x} ${middle.y} ${tip.x} ${tip.y}`;
  if (!edge.directed) return { d, head: null };
  return { d, head: edge.sign === "negative" ? `M${at(0, 7)}L${at(0, -7)}` : `M${at(10, 6)}L${at(0, 0)}L${at(10, -6)}` };
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
