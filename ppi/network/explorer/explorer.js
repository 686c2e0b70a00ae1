// A network to explore: zoom, drag, search, choose a protein.  Cytoscape.js, which the page has loaded, draws it.

import { asProbability, counted, element } from "./dom.js";
import { LABEL, nodeSize, shortened, stylesheet } from "./explorer_style.js";
import { identityLine } from "./identity.js";
import { labelSides, layout } from "./layout.js";

const SHOWN_AT_FIRST = 80;
const STEPS = [40, 80, 160, 320, 640];
const HUBS = { most: 12, degree: 3 }; // proteins whose names stay readable however far one zooms out
const PADDING = 16;
const PHONE = { width: 600, zoom: 0.75 }; // on a narrower page a drawing begins no smaller than this, to be dragged
const HELP = "Drag to move; Ctrl and the wheel, or two fingers, zoom. By keyboard: arrows move, + and − zoom, 0 shows "
  + "everything, N and P go through the proteins. Filled circles are "
  + "known by an identifier, others by name only.";

// edges: best supported first, each { id, source, target, probability, type, sign, directed, between, words, support };
// proteins: a Map from key to { label, names, identifiers, species, kind }.
export class NetworkExplorer {
  constructor(root, { open, empty = "There is no pair to draw." }) {
    Object.assign(this, { root, open, empty, edges: [], proteins: new Map(), most: SHOWN_AT_FIRST, chosen: null, alone: false });
    this.build();
    this.cy = globalThis.cytoscape({
      container: this.canvas, style: stylesheet(root), minZoom: 0.05, maxZoom: 4, boxSelectionEnabled: false, autounselectify: true,
    });
    this.listen();
  }

  build() {
    this.note = element("p", { class: "explorer-note", role: "status" });
    this.list = element("datalist", { id: "explorer-proteins" });
    this.search = element("input", { type: "search", id: "explorer-search", list: "explorer-proteins", autocomplete: "off", spellcheck: "false" });
    this.count = element("select", { id: "explorer-count" });
    const button = (label, text, action) => element("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    this.bar = element("div", { class: "explorer-bar" },
      element("label", { for: "explorer-search" }, "Find a protein"), this.search, this.list,
      element("span", { class: "explorer-count" }, element("label", { for: "explorer-count" }, "Pairs drawn"), this.count),
      element("span", { class: "explorer-zoom" },
        button("Zoom in", "+", () => this.zoomBy(1.3)), button("Zoom out", "−", () => this.zoomBy(1 / 1.3)),
        button("Show everything", "Fit", () => this.fit())));
    this.canvas = element("div", { class: "explorer-canvas", tabindex: "0", role: "group", "aria-describedby": "explorer-help" });
    this.help = element("p", { class: "explorer-help", id: "explorer-help" }, HELP);
    this.details = element("div", { class: "explorer-details", role: "region", "aria-label": "The chosen protein", hidden: true });
    this.body = element("div", { class: "explorer-body" }, this.canvas, this.details);
    this.root.replaceChildren(this.note, this.bar, this.body, this.help);
  }

  listen() {
    this.search.addEventListener("change", () => this.find(this.search.value));
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.find(this.search.value);
    });
    this.count.addEventListener("change", () => { this.most = Number(this.count.value); this.draw(); });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    // a page that scrolls must not be caught by the drawing: the wheel alone belongs to the page, before Cytoscape asks
    const zoomable = (event) => this.cy.userZoomingEnabled(event.type === "touchstart" || event.ctrlKey || event.metaKey);
    for (const name of ["wheel", "touchstart"]) this.body.addEventListener(name, zoomable, { capture: true, passive: true });
    this.cy.on("tap", "node", (event) => this.choose(event.target.id()));
    this.cy.on("tap", "edge", (event) => this.open(event.target.data("edge")));
    this.cy.on("tap", (event) => { if (event.target === this.cy) this.choose(null); });
    this.cy.on("mouseover", "node, edge", (event) => this.point(event.target));
    this.cy.on("mouseout", "node, edge", () => this.point(null));
    this.cy.on("zoom", () => this.sizeNames());
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.cy.style(stylesheet(this.root)));
    const watcher = new ResizeObserver(() => this.refit());
    for (const part of [this.root, this.canvas]) watcher.observe(part);
  }

  show(edges, proteins) {
    Object.assign(this, { edges, proteins });
    if (!edges.some((edge) => edge.source === this.chosen || edge.target === this.chosen)) this.chosen = null;
    this.offerCounts();
    this.list.replaceChildren(...this.labels().map((label) => element("option", { value: label })));
    this.draw();
  }

  labels() {
    const linked = new Set(this.edges.flatMap((edge) => [edge.source, edge.target]));
    return [...new Set([...linked].map((key) => this.proteins.get(key).label))].sort((a, b) => a.localeCompare(b, "en"));
  }

  offerCounts() {
    const total = this.edges.length;
    const steps = STEPS.filter((step) => step < total);
    if (steps.length < STEPS.length) steps.push(STEPS[steps.length]);
    this.count.replaceChildren(...steps.map((step) => element("option", { value: step, selected: step === this.most },
      step >= total ? `all ${total.toLocaleString("en")}` : `${step} best`)));
    if (!steps.includes(this.most)) this.count.value = String(steps.at(-1));
    this.count.parentElement.hidden = total <= STEPS[0];
  }

  // The best supported pairs, and all of the protein that is chosen.
  drawn() {
    const ofChosen = (edge) => this.chosen !== null && (edge.source === this.chosen || edge.target === this.chosen);
    return this.edges.filter((edge, rank) => ofChosen(edge) || (!this.alone && rank < this.most));
  }

  draw() {
    if (this.chosen === null) this.alone = false;
    const edges = this.drawn();
    const keys = [...new Set(edges.flatMap((edge) => [edge.source, edge.target]))];
    const degree = new Map(keys.map((key) => [key, 0]));
    for (const { source, target } of edges) for (const key of new Set([source, target])) degree.set(key, degree.get(key) + 1);
    this.hubs = new Set([...keys].sort((a, b) => degree.get(b) - degree.get(a)).slice(0, HUBS.most)
      .filter((key) => degree.get(key) >= HUBS.degree));
    const nodes = keys.map((key) => nodeData(key, this.proteins.get(key), degree.get(key)));
    this.note.textContent = this.described(edges, keys);
    for (const part of [this.bar, this.body, this.help]) part.hidden = this.edges.length === 0;
    if (!this.edges.length) this.cy.elements().remove();
    else this.place(nodes, edges);
    this.showChosen();
  }

  place(nodes, edges) {
    const widths = nodes.map(({ id, shown, size }) => ({ id, size, width: Math.max(30, this.widthOf(shown) + 10) }));
    const places = layout(widths, edges, this.room());
    const sides = labelSides(widths, edges, places);
    for (const data of nodes) data.side = sides.get(data.id);
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add(nodes.map((data) => ({ group: "nodes", data, position: places.get(data.id) })));
      this.cy.add(edges.map((edge) => ({ group: "edges", data: edgeData(edge) })));
    });
    this.canvas.setAttribute("aria-label", `Network: ${this.note.textContent} The table lists the same pairs.`);
    this.fit();
    if (this.canvas.clientWidth < PHONE.width && this.cy.zoom() < PHONE.zoom) this.lookAt(this.chosen ?? busiest(this.cy));
  }

  widthOf(label) {
    this.pen ??= document.createElement("canvas").getContext("2d");
    this.pen.font = `600 ${LABEL.size}px ${getComputedStyle(this.root).fontFamily}`;
    return this.pen.measureText(label).width;
  }

  described(edges, keys) {
    const total = this.edges.length;
    if (!total) return this.empty;
    const name = this.chosen === null ? "" : this.proteins.get(this.chosen).label;
    const proteins = counted(keys.length, "protein", "proteins");
    if (this.alone) return `The ${counted(edges.length, "pair", "pairs")} of ${name}, of ${counted(total, "pair", "pairs")}.`;
    if (this.most >= total) return `${proteins} and ${counted(total, "pair", "pairs")}; the thicker the line, the more probable.`;
    const also = edges.length > this.most ? `, and all of ${name}` : "";
    return `The ${this.most} best supported of ${counted(total, "pair", "pairs")}${also}: ${proteins}. Move the threshold, `
      + "search, or draw more to see the others.";
  }

  room() {
    return { width: Math.max(this.canvas.clientWidth, 240), height: Math.max(320, Math.min(640, 0.68 * window.innerHeight)) };
  }

  // Everything in view, never larger than it was made, in no more room than it needs.
  fit() {
    const { width, height } = this.room();
    this.sizeNames(1); // measured as they were made
    const box = this.cy.elements().boundingBox();
    const [w, h] = [box.w + 2 * PADDING, box.h + 2 * PADDING];
    const zoom = Math.min(1, width / w, height / h);
    this.canvas.style.height = `${Math.round(Math.max(140, Math.min(height, zoom * h)))}px`;
    this.cy.resize();
    this.cy.zoom(zoom);
    this.cy.center();
    Object.assign(this, { width, page: this.root.clientWidth });
    this.cy.userPanningEnabled(zoom < 1); // a drawing that fits lets a finger scroll the page
    this.sizeNames();
  }

  lookAt(key) {
    const needed = PHONE.zoom * this.cy.elements().boundingBox().h + 2 * PADDING;
    this.canvas.style.height = `${Math.round(Math.min(this.room().height, needed))}px`;
    this.cy.resize();
    this.cy.userPanningEnabled(true);
    this.cy.zoom(PHONE.zoom);
    this.cy.center(this.cy.getElementById(key));
    this.fill();
  }

  // Moved so that no part of the view is empty that the drawing could fill.
  fill() {
    const box = this.cy.elements().renderedBoundingBox();
    const by = (low, high, room) => {
      if (high - low + 2 * PADDING <= room) return (room - low - high) / 2;
      if (low > PADDING) return PADDING - low;
      return high < room - PADDING ? room - PADDING - high : 0;
    };
    this.cy.panBy({ x: by(box.x1, box.x2, this.canvas.clientWidth), y: by(box.y1, box.y2, this.canvas.clientHeight) });
  }

  // A page of another width is drawn anew; what only gave room to the details stays, smaller.
  refit() {
    if (!this.canvas.clientWidth || this.cy.nodes().empty()) return;
    if (Math.abs(this.root.clientWidth - this.page) > 20) this.draw();
    else if (Math.abs(this.canvas.clientWidth - this.width) > 20) this.fit();
  }

  zoomBy(factor) {
    const middle = { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 };
    this.cy.userPanningEnabled(true);
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: middle });
  }

  sizeNames(zoom = this.cy.zoom()) {
    const far = Math.max(LABEL.size, 11 / zoom);
    this.cy.batch(() => this.cy.nodes().forEach((node) => {
      const size = this.hubs.has(node.id()) || node.id() === this.chosen ? far : LABEL.size;
      if (node.data("font") !== size) node.data("font", size);
    }));
  }

  press(event) {
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    const actions = {
      "+": () => this.zoomBy(1.3), "=": () => this.zoomBy(1.3), "-": () => this.zoomBy(1 / 1.3), 0: () => this.fit(),
      n: () => this.step(1), p: () => this.step(-1), Escape: () => this.choose(null),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) this.cy.panBy({ x: moves[event.key][0], y: moves[event.key][1] });
    else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  }

  step(by) {
    const keys = this.cy.nodes().map((node) => node.id());
    if (!keys.length) return;
    this.choose(keys[(keys.indexOf(this.chosen) + by + keys.length) % keys.length]);
  }

  find(words) {
    const wanted = words.trim().toLowerCase();
    if (!wanted) return;
    const found = (matches) => [...this.proteins].find(([key, protein]) => this.edges.some((edge) => edge.source === key || edge.target === key)
      && [protein.label, ...protein.names, ...protein.identifiers].some((name) => matches(name.toLowerCase())));
    const hit = found((name) => name === wanted) || found((name) => name.includes(wanted));
    if (hit) this.choose(hit[0]);
    else this.note.textContent = `No protein here is called “${words.trim()}”.`;
  }

  choose(key) {
    if (key === this.chosen) return;
    const redraw = this.alone || this.edges.length > this.most;
    this.chosen = key;
    if (redraw) this.draw();
    else this.showChosen();
  }

  // The chosen protein and its neighbours stand out; beside the drawing, who it is and what it does.
  showChosen() {
    this.cy.elements().removeClass("beside chosen");
    this.details.hidden = this.chosen === null || !this.edges.length;
    this.body.classList.toggle("with-details", !this.details.hidden);
    this.sizeNames();
    if (this.details.hidden) return;
    const node = this.cy.getElementById(this.chosen);
    this.cy.elements().not(node.closedNeighborhood()).addClass("beside");
    node.addClass("chosen");
    const protein = this.proteins.get(this.chosen);
    const own = this.edges.filter((edge) => edge.source === this.chosen || edge.target === this.chosen);
    const toggle = element("button", { type: "button", "aria-pressed": String(this.alone), onclick: () => { this.alone = !this.alone; this.draw(); } }, "Only its pairs");
    this.details.replaceChildren(
      element("h3", {}, protein.label), identityLine(protein),
      element("ul", {}, ...own.map((edge) => element("li", {},
        element("button", { type: "button", class: "pair", onclick: () => this.open(edge) }, this.named(edge)),
        element("span", {}, ` ${edge.words ? `${edge.words}, ` : ""}${edge.support}`)))),
      element("p", { class: "explorer-actions" }, toggle, " ", element("button", { type: "button", onclick: () => this.choose(null) }, "Clear")));
  }

  named(edge) {
    const second = edge.source === edge.target ? "itself" : this.proteins.get(edge.target).label;
    return `${this.proteins.get(edge.source).label} ${edge.between} ${second}`;
  }

  point(target) {
    this.cy.edges().removeClass("pointed");
    this.canvas.title = "";
    if (!target) return;
    if (target.isNode()) this.canvas.title = this.proteins.get(target.id()).label;
    else {
      const edge = target.data("edge");
      target.addClass("pointed");
      this.canvas.title = `${this.named(edge)}: ${edge.words ? `${edge.words}, ` : ""}${edge.support}`;
    }
  }
}

const busiest = (cy) => cy.nodes().max((node) => node.degree()).ele.id();

function nodeData(key, protein, degree) {
  return { id: key, shown: shortened(protein.label), size: nodeSize(degree), font: LABEL.size, known: protein.identifiers.length > 0 };
}

function edgeData(edge) {
  const head = edge.directed ? (edge.sign === "negative" ? "tee" : "triangle") : null;
  return {
    id: `edge ${edge.id}`, source: edge.source, target: edge.target, type: edge.type || "none", edge,
    width: 1 + 3.5 * edge.probability, opacity: 0.65 + 0.35 * edge.probability, ...(head ? { head } : {}),
  };
}

export const supportOf = (probability, sentences, documents) =>
  `${asProbability(probability)}, ${counted(sentences, "sentence", "sentences")}, ${counted(documents, "document", "documents")}`;
