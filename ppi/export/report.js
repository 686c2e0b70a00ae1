import { byId, counted } from "./dom.js";
import { NetworkExplorer, supportOf } from "./explorer.js";

const slider = byId("threshold");
const search = byId("search");
const pairs = [...document.querySelectorAll("tbody.pair")];
const chips = [...document.querySelectorAll(".chips li")];
const articles = [...document.querySelectorAll("article")];
const boxes = [...document.querySelectorAll(".type-box")];
const words = new Map([...pairs, ...articles].map((part) => [part, part.textContent.toLowerCase()]));

const chosenTypes = () => new Set(boxes.filter((box) => !box.checked).map((box) => box.value));

function filter() {
  const limit = Number(slider.value);
  const without = chosenTypes();
  const wanted = search.value.trim().toLowerCase();
  const unlikely = ({ dataset }) => Number(dataset.probability) < limit || without.has(dataset.type);
  byId("value").textContent = limit.toFixed(2);
  slider.setAttribute("aria-valuetext", `at least ${limit.toFixed(2)}`);
  for (const pair of pairs) pair.hidden = unlikely(pair) || !words.get(pair).includes(wanted);
  for (const chip of chips) chip.hidden = unlikely(chip);
  for (const article of articles) article.hidden = !words.get(article).includes(wanted);
  const left = pairs.filter((pair) => !pair.hidden);
  byId("count").textContent = left.length === pairs.length ? counted(left.length, "pair", "pairs") : `${left.length} of ${counted(pairs.length, "pair", "pairs")}`;
  byId("none").hidden = left.length > 0 || pairs.length === 0;
  byId("table")?.toggleAttribute("hidden", left.length === 0);
  network.show(left);
}

// A drawing in the page: lines that are not asked for go, and with them proteins that nothing joins.
class Drawing {
  constructor(svg) {
    this.svg = svg;
    // lines and rows are both in the order of the network
    this.edges = new Map([...svg.querySelectorAll(".edge")].map((edge, n) => [`pair-${n + 1}`, edge]));
    this.nodes = [...svg.querySelectorAll(".node")];
  }

  show(left) {
    const ids = new Set(left.map((pair) => pair.id));
    const seen = new Set();
    for (const [id, edge] of this.edges) {
      edge.classList.toggle("gone", !ids.has(id));
      if (ids.has(id)) seen.add(edge.dataset.source).add(edge.dataset.target);
    }
    for (const node of this.nodes) node.classList.toggle("gone", !seen.has(node.dataset.key));
    this.svg.classList.toggle("gone", seen.size === 0);
    if (seen.size) this.crop();
  }

  crop() {
    const boxes = [...this.nodes, ...this.edges.values()].filter((part) => !part.classList.contains("gone")).map((part) => part.getBBox());
    const [left, top] = [Math.min(...boxes.map((box) => box.x)) - 12, Math.min(...boxes.map((box) => box.y)) - 12];
    const width = Math.max(...boxes.map((box) => box.x + box.width)) + 12 - left;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) + 12 - top;
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
  }
}

// The explorer, fed from the rows of the page's tables.
class Explored {
  constructor(root) {
    this.proteins = new Map([...document.querySelectorAll("#proteins [data-key]")].map(({ dataset }) => [dataset.key, {
      label: dataset.label, names: JSON.parse(dataset.names), identifiers: dataset.identifier ? [dataset.identifier] : [],
      species: dataset.species || "", kind: dataset.kind,
    }]));
    const empty = "No pair is that probable, of these types, and has these words.";
    this.explorer = new NetworkExplorer(root, { open: (edge) => openPair(byId(edge.id)), empty });
  }

  show(left) {
    const edges = left.map(({ id, dataset }) => ({
      id, source: dataset.source, target: dataset.target, probability: Number(dataset.probability), type: dataset.type, sign: dataset.sign,
      directed: dataset.directed === "true", between: dataset.between, words: dataset.words,
      support: supportOf(Number(dataset.probability), Number(dataset.sentences), Number(dataset.papers)),
    }));
    this.explorer.show(edges.sort((a, b) => b.probability - a.probability), this.proteins);
  }
}

function openPair(pair) {
  pair.querySelector("details").open = true;
  pair.scrollIntoView({ block: "start" });
  pair.querySelector("summary").focus({ preventScroll: true });
}

function sort(button) {
  const heading = button.parentElement;
  const key = button.dataset.sort;
  const now = heading.getAttribute("aria-sort");
  const order = !now ? button.dataset.first : now === "ascending" ? "descending" : "ascending";
  const sign = order === "ascending" ? 1 : -1;
  const compare = (a, b) =>
    key === "name" ? a.dataset.name.localeCompare(b.dataset.name) : Number(a.dataset[key]) - Number(b.dataset[key]);
  byId("table").append(...pairs.slice().sort((a, b) => sign * compare(a, b)));
  for (const each of byId("table").querySelectorAll("thead th")) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
}

const drawn = document.querySelector(".network svg");
const explored = byId("explorer");
const network = explored ? new Explored(explored) : drawn ? new Drawing(drawn) : { show() {} };
for (const control of [slider, search, ...boxes]) control.addEventListener("input", filter);
for (const button of document.querySelectorAll("thead button")) button.addEventListener("click", () => sort(button));
// a drawing of a long sentence begins where its pair stands: both names in the middle, or the first at the left
for (const details of document.querySelectorAll(".pair details")) {
  details.addEventListener("toggle", () => {
    for (const box of details.querySelectorAll(".drawing[data-left]")) {
      const drawn = box.querySelector("img");
      const scale = Math.min(1, Math.max(0.65, box.clientWidth / drawn.naturalWidth)); // as far as it can be read
      drawn.style.width = `${scale * drawn.naturalWidth}px`;
      const [left, right] = [scale * Number(box.dataset.left), scale * Number(box.dataset.right)];
      box.scrollLeft = left - Math.max((box.clientWidth - (right - left)) / 2, 8);
    }
  });
}
filter();
