// What a curator says of one sentence: buttons, what more there is to say, and what others said.

import { element } from "./dom.js";
import { changeOf } from "./judging_ranking.js";

// Verdict, key, and what it means, in the order of the buttons.
export const VERDICTS = [
  ["right", "1", "the sentence says so"],
  ["wrong", "2", "the sentence does not say that the two interact"],
  ["wrong type", "3", "they interact, in another way"],
  ["wrong direction", "4", "the other one acts"],
  ["not a protein", "5", "one of the names is not that of a protein"],
];
const TYPES = ["binding", "modification", "regulation"];

const fits = (row, verdict) => (verdict === "wrong type" ? Boolean(row.type) : verdict !== "wrong direction" || Boolean(row.agent));

export class JudgedRow {
  // say(row, verdict, more): what happens when something is said.
  constructor(item, say) {
    Object.assign(this, { item, row: item.row, say, own: null, shown: 0 });
    this.name = `${this.row.names[0]} and ${this.row.names[1]}`;
    this.buttons = VERDICTS.filter(([verdict]) => fits(this.row, verdict)).map(([verdict, key, meaning]) => {
      const button = element("button", { type: "button", "aria-pressed": "false", "data-verdict": verdict, title: meaning, tabindex: "-1" },
        verdict, " ", element("kbd", { "aria-hidden": "true" }, key));
      button.addEventListener("click", () => this.judge(verdict));
      return button;
    });
    this.more = element("div", { class: "judge-more" });
    this.others = element("p", { class: "hint judge-others" });
    this.moved = element("p", { class: "hint judge-moved" });
    item.querySelector(".judge").replaceChildren(
      element("div", { class: "verdicts", role: "group", "aria-label": `Judge ${this.name}` }, ...this.buttons), this.more, this.others, this.moved);
    item.tabIndex = -1;
    item.setAttribute("aria-label", `${this.name}: ${this.row.sentence}`);
  }

  get key() {
    return { document: this.row.document, pair: this.row.pair, words: this.row.words };
  }

  is(one) {
    return one.document === this.row.document && one.pair === this.row.pair;
  }

  // The row that keys mean: it can be reached with Tab, the others with the arrows.
  makeCurrent(current) {
    this.item.tabIndex = current ? 0 : -1;
    for (const field of this.item.querySelectorAll(".judge button, .judge select, .judge input")) field.tabIndex = current ? 0 : -1;
    this.item.classList.toggle("current", current);
  }

  judge(verdict, more = {}) {
    if (!fits(this.row, verdict)) return false;
    this.say(this, verdict, { comment: this.own?.comment || "", ...more });
    return true;
  }

  busy(is) {
    this.item.querySelector(".verdicts").setAttribute("aria-busy", String(is));
  }

  // What holds of it, one judgement per curator.
  show(judgements, curator) {
    this.shown += 1;
    this.own = judgements.find((one) => one.curator === curator) || null;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.verdict === this.own?.verdict));
    this.item.classList.toggle("judged", Boolean(this.own));
    const others = judgements.filter((one) => one.curator !== curator);
    this.others.textContent = others.map((one) => `${one.curator}: ${one.verdict}${one.comment ? ` (${one.comment})` : ""}`).join("; ");
    if (!this.own || !this.more.contains(document.activeElement)) this.more.replaceChildren(...(this.own ? this.fields() : []));
    this.makeCurrent(this.item.tabIndex === 0);
  }

  fields() {
    const { verdict, type, mention, comment } = this.own;
    const again = (more) => this.judge(verdict, { type, mention, ...more });
    const fields = [];
    if (verdict === "wrong type") {
      const choices = TYPES.filter((one) => one !== this.row.type).map((one) => [one, one]);
      fields.push(choice("It is", [["", "not said"], ...choices], type || "", (value) => again({ type: value || null })));
    }
    if (verdict === "not a protein") {
      const choices = this.row.names.map((name, place) => [String(place + 1), name]);
      fields.push(choice("Which", [["", "not said"], ...choices], String(mention || ""), (value) => again({ mention: Number(value) || null })));
    }
    const input = element("input", { type: "text", maxlength: "2000", autocomplete: "off", value: comment });
    input.addEventListener("change", () => again({ comment: input.value }));
    const label = element("label", { class: "comment", hidden: !comment }, "Comment ", input);
    const opener = element("button", { type: "button", class: "add-comment", hidden: Boolean(comment) }, "comment ", element("kbd", { "aria-hidden": "true" }, "c"));
    opener.addEventListener("click", () => {
      label.hidden = false;
      opener.hidden = true;
      input.focus();
    });
    return [...fields, opener, label];
  }

  // Only what was judged can have a comment.
  comment() {
    const opener = this.item.querySelector(".add-comment");
    if (opener && !opener.hidden) opener.click();
    else this.item.querySelector(".comment input")?.focus();
  }

  // Where the model with feedback puts it.
  place(one) {
    this.moved.textContent = `With feedback: ${changeOf(one)}`;
    this.item.classList.toggle("up", one.after.place < one.before.place);
    this.item.classList.toggle("down", one.after.place > one.before.place);
  }
}

function choice(label, options, chosen, change) {
  const select = element("select", {}, ...options.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
  select.addEventListener("change", () => change(select.value));
  return element("label", {}, `${label} `, select);
}
