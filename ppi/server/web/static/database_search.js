// The search page: a form whose values are the address, and what is found.

import { asked, queryOf } from "./api.js";
import { card, emptyNote, pager, pairsTable, proteinAddress, sentenceList } from "./database_parts.js";
import { byId, counted, element } from "./dom.js";

const WAIT = 150; // milliseconds after the last letter before names are asked for
const WANTED = ["protein", "partner", "type", "min_probability", "min_papers", "first_year", "last_year", "text", "include_negated", "include_hedged"];

// What is looked for, without which part of it is shown.
export function wantedOf(values) {
  return Object.fromEntries(WANTED.map((name) => [name, name === "type" ? values.getAll(name) : values.get(name)]));
}

export function fillForm(values) {
  for (const field of byId("form").elements) {
    if (!field.name) continue;
    if (field.type === "checkbox") field.checked = values.getAll(field.name).includes(field.value);
    else field.value = values.get(field.name) || "";
  }
  const more = byId("more-fields");
  const set = new Set([...values.keys()].filter((name) => more.querySelector(`[name="${CSS.escape(name)}"]`)));
  // on a phone, what was found would be out of sight behind them
  more.open = set.size > 0 && window.matchMedia("(min-width: 36rem)").matches;
  if (set.size) more.querySelector("summary").append(` (${set.size} set)`);
}

export function listenToForm(report) {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const values = {};
    for (const [name, value] of new FormData(byId("form"))) (values[name] ??= []).push(value.trim());
    report("Looking…");
    location.assign(`/database?${queryOf(values)}`);
  });
  for (const id of ["protein", "partner"]) suggestAt(byId(id), byId(`${id}-names`));
}

function suggestAt(input, list) {
  let waiting, last = "";
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const text = input.value.trim();
      if (!text || text === last) return;
      last = text;
      try {
        const found = await (await asked("/api/database/suggest", { text })).json();
        if (input.value.trim() === text) list.replaceChildren(...found.map(option));
      } catch {
        // names are a help; the search itself says what is wrong
      }
    }, WAIT);
  });
}

function option({ name, protein }) {
  const told = [protein.label !== name && protein.label, protein.identifiers[0], protein.species, counted(protein.partners, "partner", "partners")];
  return element("option", { value: name }, told.filter(Boolean).join(", "));
}

export async function searchPage(context) {
  const { values } = context;
  const wanted = wantedOf(values);
  const answer = await (await asked("/api/database/search", {
    ...wanted, show: values.get("show"), order: values.get("order"), page: values.get("page"),
  }, context.report)).json();
  const sentences = values.get("show") === "sentences";
  const title = titleOf(wanted);
  const what = sentences ? counted(answer.count, "sentence", "sentences") : counted(answer.count, "pair", "pairs");
  const list = sentences ? sentenceList(answer.sentences, context) : pairsTable(answer.pairs, "Pairs of proteins; each leads to its sentences.");
  return {
    title,
    parts: [
      element("section", { class: "card head" }, element("h1", { id: "heading", tabindex: "-1" }, title),
        element("p", { class: "hint" }, what), ...called(answer.proteins, wanted.protein), ...called(answer.partners, wanted.partner)),
      card(null, answer.count ? list : emptyNote("Nothing was found.", "Take away a word or a limit; what is denied or supposed is shown only if asked for."),
        ...pager(answer, values)),
    ],
    download: answer.count ? { wanted, what: `The sentences behind this list: ${title}.` } : null,
  };
}

function titleOf(wanted) {
  const who = [wanted.protein, wanted.partner].filter(Boolean).join(" and ");
  const said = wanted.text ? ` with “${wanted.text}”` : "";
  return who || said ? `${who || "Sentences"}${said}` : "What is said to interact";
}

// All proteins that are called so, each a way to its page.
function called(proteins, name) {
  if (!name || !proteins.length) return [];
  const links = proteins.slice(0, 12).map((protein) => element("li", {}, element("a", { href: proteinAddress(protein.key) },
    `${protein.label}${protein.species ? ` (${protein.species})` : ""}`), " ",
    element("span", { class: "hint" }, counted(protein.partners, "partner", "partners"))));
  return [element("ul", { class: "called", "aria-label": `Proteins called ${name}` }, ...links)];
}
