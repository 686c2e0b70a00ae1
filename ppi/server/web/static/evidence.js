// Why a pair got its probability: a dialog with the sentence, what joins the two names, the drawing and the features.

import { evidenceOf } from "./api.js";
import { asProbability, byId, CodePoints, element } from "./dom.js";
import { identifiersOf, identityLine, kindOf, remark, speciesOf } from "./identity.js";
import { signBetween } from "./relationship.js";
import { badges } from "./table.js";

const SMALLEST = 0.65; // of a drawing, on a narrow page

export class EvidenceDialog {
  // ask: gives the evidence of one interaction; by default the document that it came from is sent again.
  constructor(ask = (one, report) => evidenceOf(one.source, one, report)) {
    this.ask = ask;
    this.dialog = byId("evidence");
    this.list = [];
    this.at = 0;
    byId("close").addEventListener("click", () => this.dialog.close());
    byId("previous").addEventListener("click", () => this.move(-1));
    byId("next").addEventListener("click", () => this.move(1));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // outside of it
    });
    this.dialog.addEventListener("close", () => this.opener?.focus());
  }

  // One of a list, which Previous and Next go through.
  open(list, one, opener) {
    Object.assign(this, { list, at: list.indexOf(one), opener });
    this.dialog.showModal();
    this.show();
  }

  move(step) {
    this.at = (this.at + step + this.list.length) % this.list.length;
    this.show();
  }

  async show() {
    const one = this.list[this.at];
    byId("evidence-heading").textContent = `${one.shown[0]} ${signBetween(one)} ${one.shown[1]}: ${asProbability(one.probability)}`;
    byId("evidence-type").replaceChildren(...badges(one), ...typeProbabilities(one));
    byId("evidence").dataset.type = one.type || "";
    byId("evidence-heading").focus();
    byId("evidence-sentence").replaceChildren(...sentenceWithPair(one));
    byId("evidence-who").replaceChildren(...mentionsOf(one).flatMap(whoIs), ...otherNames(one));
    byId("evidence-place").textContent = `${this.at + 1} of ${this.list.length}`;
    byId("previous").disabled = byId("next").disabled = this.list.length < 2;
    const body = byId("evidence-body");
    const report = (message) => body.replaceChildren(element("p", { class: "hint" }, message));
    report("Looking for the evidence…");
    try {
      const answer = await this.ask(one, report);
      if (this.list[this.at] === one) {
        body.replaceChildren(...parts(one, answer.evidence));
        atPair(body.querySelector(".drawing"), answer.evidence.path_svg);
      }
    } catch (error) {
      if (this.list[this.at] === one) body.replaceChildren(element("p", { class: "error" }, error.message));
    }
  }
}

export function sentenceWithPair(one) {
  const text = new CodePoints(one.sentence);
  const bounds = new Set([0, text.length, ...one.proteins.flatMap((protein) => protein.spans.flat())]);
  const cuts = [...bounds].sort((a, b) => a - b);
  return cuts.slice(1).map((end, n) => {
    const start = cuts[n];
    const side = one.proteins.findIndex((protein) => protein.spans.some((span) => span[0] <= start && end <= span[1]));
    const piece = text.slice(start, end);
    return side < 0 ? piece : element("mark", { class: side === 0 ? "first" : "second" }, piece);
  });
}

function parts(one, evidence) {
  const largest = Math.max(...[...evidence.up, ...evidence.down].map((feature) => Math.abs(feature.value)), 1e-12);
  const up = features("Speaks for it", "up", evidence.up, largest);
  const down = features("Speaks against it", "down", evidence.down, largest);
  return [
    element("ul", { class: "reasons" }, ...evidence.reasons.map((reason) => element("li", {}, reason))),
    ...drawings(one, evidence),
    element("details", { class: "more" }, element("summary", {}, "Details: path and features of the score"),
      element("h3", {}, "Path between the two"),
      evidence.path ? pathList(evidence.path) : element("p", {}, "No path in the parse joins the two names."),
      element("div", { class: "features" }, up, down),
      element("p", { class: "hint" }, balance(evidence)),
      element("p", { class: "hint" }, "PROT1 and PROT2 stand for the two names, PROT for others; @IP marks words and "
        + "dependencies on the path, @B, @M and @A those before, between and after the two.")),
  ];
}

function typeProbabilities(one) {
  const listed = Object.entries(one.types || {}).map(([type, probability]) => `${type} ${asProbability(probability)}`);
  return listed.length ? [element("span", { class: "hint" }, listed.join(" · "))] : [];
}

// The words that join the two, and the whole sentence behind a button.
function drawings(one, evidence) {
  const figure = element("figure", { class: "drawing", tabindex: "0", role: "group", "aria-label": "Drawing of the dependencies, scrolls sideways" },
    image(one, evidence, evidence.path_svg));
  const button = element("button", { type: "button", class: "whole" }, "Draw the whole sentence");
  let whole = false;
  button.addEventListener("click", () => {
    whole = !whole;
    button.textContent = whole ? "Draw what joins the two" : "Draw the whole sentence";
    const svg = whole ? evidence.svg : evidence.path_svg;
    figure.replaceChildren(image(one, evidence, svg));
    atPair(figure, svg);
  });
  return [figure, button];
}

// As an image, a drawing cannot run scripts or load anything, whatever is in it.
function image(one, evidence, svg) {
  return element("img", {
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed?.() ?? svg)}`,
    alt: `Dependency graph of the sentence; between ${one.names[0]} and ${one.names[1]}: ${evidence.path || "no path"}`,
  });
}

// A drawing that is too wide is made smaller, as far as it can be read, and scrolled to where the two names stand: both in
// the middle or, if there is no room for both, the first at the left.
async function atPair(box, svg) {
  const drawn = box.querySelector("img");
  await drawn.decode().catch(() => {});
  const scale = Math.min(1, Math.max(SMALLEST, box.clientWidth / drawn.naturalWidth));
  drawn.style.width = `${scale * drawn.naturalWidth}px`;
  const found = /data-pair='(\d+) (\d+)'/.exec(svg);
  if (!found) return;
  const [left, right] = [scale * Number(found[1]), scale * Number(found[2])];
  box.scrollLeft = left - Math.max((box.clientWidth - (right - left)) / 2, 8);
}

// A protein that interacts with itself is one mention, twice.
const mentionsOf = (one) => (one.homo ? one.proteins.slice(0, 1) : one.proteins);

// Under which other names of the two the sentence says the same.
function otherNames(one) {
  const named = (one.aliases || []).map((alias) => `${alias.proteins.map((protein) => protein.text).join(" and ")} (${asProbability(alias.probability)})`);
  return named.length ? [element("dt", {}, "Also as"), element("dd", {}, named.join(", "))] : [];
}

function whoIs(mention) {
  const line = identityLine({ identifiers: identifiersOf(mention), species: speciesOf(mention), kind: kindOf(mention) });
  if (!line.hasChildNodes()) return [];
  return [element("dt", {}, remark(mention, "symbol") || mention.text), element("dd", {}, line)];
}

function pathList(path) {
  return element("ul", { class: "path" }, ...path.split(", ").map((arc) => element("li", {}, arc)));
}

function features(title, side, list, largest) {
  const items = list.map((one) => {
    const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", {}));
    bar.firstChild.style.width = `${(100 * Math.abs(one.value)) / largest}%`;
    return element("li", {}, element("span", { class: "name" }, one.name),
      element("span", { class: "value" }, `${signed(one.value)} (${(100 * one.share).toFixed(1)} %)`), bar);
  });
  const body = items.length ? element("ol", { class: "feature-list" }, ...items) : element("p", {}, "Nothing.");
  return element("section", { class: side }, element("h3", {}, title), body);
}

function balance(evidence) {
  const above = [...evidence.up, ...evidence.down].reduce((sum, feature) => sum + feature.value, 0);
  const others = evidence.score - evidence.intercept - above;
  return `Score ${signed(evidence.score)}: the features above, ${signed(others)} from all others, `
    + `and a constant ${signed(evidence.intercept)}. The path alone adds ${signed(evidence.path_value)}. `
    + `The percentages are shares of everything that is added or taken away.`;
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
