// The interactions as a table that sorts and grows on demand.

import { asProbability, byId, element } from "./dom.js";
import { doubtsOf, labelOf, signBetween } from "./relationship.js";

const STEP = 100;
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const ORDERS = {
  names: (a, b) => collator.compare(a.shown.join(" "), b.shown.join(" ")),
  document: (a, b) => collator.compare(a.document, b.document),
  probability: (a, b) => a.probability - b.probability,
};

export class Table {
  constructor(open, point) {
    this.open = open;
    this.point = point;
    this.key = "probability";
    this.descending = true;
    this.limit = STEP;
    this.rows = [];
    this.body = byId("table").tBodies[0];
    for (const head of byId("table").tHead.rows[0].cells) {
      head.querySelector("button").addEventListener("click", () => this.sortBy(head.dataset.key));
    }
    byId("more").addEventListener("click", () => {
      const first = this.limit;
      this.limit += STEP;
      this.draw();
      this.body.rows[first]?.querySelector("button").focus();
    });
  }

  sortBy(key) {
    this.descending = key === this.key ? !this.descending : key === "probability";
    this.key = key;
    for (const head of byId("table").tHead.rows[0].cells) {
      if (head.dataset.key === key) head.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    this.show(this.rows);
  }

  show(interactions) {
    const sign = this.descending ? -1 : 1;
    // Array.prototype.sort is stable: equal ones stay in text order
    this.rows = [...interactions].sort((a, b) => sign * ORDERS[this.key](a, b) || a.number - b.number);
    this.limit = STEP;
    this.draw();
  }

  draw() {
    this.body.replaceChildren(...this.rows.slice(0, this.limit).map((one) => this.row(one)));
    byId("more").hidden = this.rows.length <= this.limit;
    byId("table").hidden = this.rows.length === 0;
  }

  row(one) {
    const button = element("button", { type: "button", class: "pair", "aria-haspopup": "dialog" },
      element("span", {}, one.shown[0]), element("span", { class: "dash" }, ` ${signBetween(one)} `), element("span", {}, one.shown[1]));
    const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", {}));
    bar.firstChild.style.width = `${Math.round(100 * one.probability)}%`;
    const row = element("tr", { "data-type": one.type },
      element("td", {}, button, ...badges(one), element("span", { class: "snippet" }, one.sentence)),
      element("td", { class: "document-column" }, one.document),
      element("td", { class: "number" }, asProbability(one.probability), bar));
    row.addEventListener("click", () => this.open(one, button));
    for (const event of ["mouseenter", "focusin"]) row.addEventListener(event, () => this.point(one));
    for (const event of ["mouseleave", "focusout"]) row.addEventListener(event, () => this.point(null));
    return row;
  }
}

// The type, and what makes it doubtful, in words; of a pair, which counts its doubtful sentences, the type alone.
export function badges(one, { doubts = !one.source?.key } = {}) {
  const type = one.type ? [element("span", { class: "badge type" }, labelOf(one))] : [];
  return [...type, ...(doubts ? doubtsOf(one) : []).map((mark) => element("span", { class: "badge doubt" }, mark))];
}
