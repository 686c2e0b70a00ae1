// The rows by the model with feedback: their order, what changed, and whether the feedback helps.

import { sent } from "./api.js";
import { byId, counted, element } from "./dom.js";

const SHOWN_CHANGES = 5;
const LEFT_OUT = "Leave-one-out: each judged row by the model that has not seen its judgement.";
const LEAST_CHANGE = 0.005; // what two digits show

export class Ranking {
  // rows: of the page; fail(message): where errors go.
  constructor(rows, fail) {
    Object.assign(this, { rows, fail, asking: false, again: false });
    byId("rerank").addEventListener("change", () => this.reorder());
  }

  // After every judgement; while one answer is awaited, the next question waits.
  async refresh() {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    byId("ranking").hidden = false;
    byId("ranking").setAttribute("aria-busy", "true");
    try {
      do {
        this.again = false;
        this.show(await sent("/api/curation/rank", { rows: this.rows.map((row) => row.key) }));
      } while (this.again);
    } catch (error) {
      this.fail(error.message);
    } finally {
      this.asking = false;
      byId("ranking").setAttribute("aria-busy", "false");
    }
  }

  show(answer) {
    this.answer = answer;
    for (const one of answer.rows) this.rows.find((row) => row.is(one))?.place(one);
    byId("ranking-summary").textContent = summary(answer);
    byId("estimates").replaceChildren(...(answer.estimates.length ? [element("p", { class: "hint" }, LEFT_OUT), estimateTable(answer.estimates)] : []));
    byId("changes").replaceChildren(...this.changes(answer));
    this.reorder();
  }

  changes(answer) {
    const size = (one) => Math.abs(one.after.probability - one.before.probability);
    const moved = answer.rows.filter((one) => size(one) >= LEAST_CHANGE).sort((a, b) => size(b) - size(a)).slice(0, SHOWN_CHANGES);
    return moved.map((one) => element("li", {}, `${this.rows.find((row) => row.is(one))?.name}: ${changeOf(one)}`));
  }

  // The list in the new order, or as it was; whoever is in it stays on the same row.
  reorder() {
    if (!this.answer) return;
    const places = new Map(this.answer.rows.map((one) => [`${one.document}\n${one.pair}`, one.after.place]));
    const placeOf = (row) => places.get(`${row.row.document}\n${row.row.pair}`) ?? Infinity;
    const ordered = byId("rerank").checked ? [...this.rows].sort((a, b) => placeOf(a) - placeOf(b)) : this.rows;
    const list = this.rows[0].item.parentNode, focused = document.activeElement;
    if (list.contains(focused) && /^(INPUT|SELECT)$/.test(focused.tagName)) { // nothing moves under somebody who writes
      focused.addEventListener("focusout", () => setTimeout(() => this.reorder()), { once: true });
      return;
    }
    if (ordered.every((row, at) => list.children[at] === row.item)) return;
    list.append(...ordered.map((row) => row.item));
    if (list.contains(focused)) {
      focused.focus({ preventScroll: true });
      focused.scrollIntoView({ block: "nearest" });
    }
  }
}

// In words: the probability without and with feedback, and the place in the list.
export function changeOf({ before, after }) {
  const place = before.place === after.place ? `place ${after.place}` : `place ${before.place} → ${after.place}`;
  return `${before.probability.toFixed(2)} → ${after.probability.toFixed(2)}, ${place}`;
}

function summary(answer) {
  const left = answer.left_out ? ` (${answer.left_out} in sentences that the model cannot read)` : "";
  if (!answer.judged) return "Nothing is judged yet: the order is that of the model without feedback.";
  const [first] = answer.estimates;
  const learned = `The model has learned from ${counted(answer.judged, "judgement", "judgements")}${left}.`;
  if (!first) return learned;
  const better = first.error_leave_one_out < first.error_without ? "less" : "not less";
  return `${learned} On each judged row, with feedback on the others, it errs ${better} than without: `
    + `${first.error_leave_one_out.toFixed(3)} against ${first.error_without.toFixed(3)}.`;
}

const number = (value) => (value === null ? "–" : value.toFixed(3));

function estimateTable(estimates) {
  const heads = ["Output", "Judged", "Error without", "Error with feedback", "Other documents only", "AUC without", "AUC with feedback"];
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Estimates, scrolls sideways" },
    element("table", {},
      element("caption", { class: "visually-hidden" }, LEFT_OUT),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...estimates.map((one) => element("tr", {}, element("th", { scope: "row" }, one.output),
        ...[String(one.judged), number(one.error_without), number(one.error_leave_one_out), number(one.error_leave_group_out),
          number(one.auc_without), number(one.auc_leave_one_out)].map((text) => element("td", { class: "number" }, text)))))));
}
