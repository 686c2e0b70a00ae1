// Parts that the pages of a database share: addresses, pairs in a table, sentences in a list.

import { queryOf } from "./api.js";
import { asProbability, counted, element } from "./dom.js";
import { sentenceWithPair } from "./evidence.js";
import { badges } from "./table.js";
import { ITSELF, signBetween, withNames } from "./relationship.js";

export const proteinAddress = (key) => `/database/protein?${queryOf({ key })}`;

export const pairAddress = (first, second) => `/database/pair?${queryOf({ first, second })}`;

export const proteinLink = (protein) => element("a", { href: proteinAddress(protein.key) }, protein.label);

// The page of a paper, where its id tells one.
export function documentLink(one) {
  const pubmed = one.pubmed && `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(one.pubmed)}/`;
  const pmc = /^PMC\d+$/.test(one.document) && `https://pmc.ncbi.nlm.nih.gov/articles/${one.document}/`;
  const name = one.pubmed ? `PMID ${one.pubmed}` : one.document;
  const href = pubmed || pmc;
  return href ? element("a", { href, rel: "noopener noreferrer", target: "_blank" }, name) : element("span", {}, name);
}

const years = ({ first_year: first, last_year: last }) => (first ? [first === last ? `${first}` : `${first}–${last}`] : []);

// What papers say of a pair, in words: papers and sentences are counted apart.
export function support(pair) {
  return [
    counted(pair.papers, "paper", "papers"), counted(pair.sentences, "sentence", "sentences"),
    ...(pair.hedged ? [`${counted(pair.hedged, "supposes", "suppose")} it`] : []),
    ...(pair.negated ? [`${counted(pair.negated, "denies", "deny")} it`] : []),
    ...years(pair),
  ].join(" · ");
}

const secondLabel = (pair) => (pair.source.key === pair.target.key ? ITSELF : pair.target.label);

export const pairName = (pair) => `${pair.source.label} ${signBetween(pair)} ${secondLabel(pair)}`;

// link: whether each leads to its page, with its best sentence below; on that page itself it does not.
export function pairsTable(pairs, caption, { link = true } = {}) {
  return element("table", { class: "pairs" },
    element("caption", { class: "visually-hidden" }, caption),
    element("thead", {}, element("tr", {},
      element("th", { scope: "col" }, "Proteins"), element("th", { scope: "col", class: "number" }, "Probability"))),
    element("tbody", {}, ...pairs.map((pair) => pairRow(pair, link))));
}

function pairRow(pair, link) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", {}));
  bar.firstChild.style.width = `${Math.round(100 * pair.probability)}%`;
  return element("tr", { "data-type": pair.type },
    element("td", {},
      link ? element("a", { class: "pair", href: pairAddress(pair.source.key, pair.target.key) }, pairName(pair)) : pairName(pair),
      ...badges(pair),
      element("span", { class: "counts" }, support(pair)),
      ...(link && pair.best ? [element("span", { class: "snippet" }, pair.best.sentence)] : [])),
    element("td", { class: "number" }, asProbability(pair.probability), bar));
}

// Sentences, each known by its document and pair; `judge` is where a curator's buttons go.
export function sentenceList(sentences, context) {
  const rows = sentences.map(withNames);
  return element("ol", { class: "found" }, ...rows.map((one) => sentenceItem(one, rows, context)));
}

function sentenceItem(one, rows, context) {
  const why = element("button", { type: "button", class: "why", "aria-haspopup": "dialog" }, "Why?");
  why.addEventListener("click", () => context.open(rows, one, why));
  const marks = ["negated", "hedged"].filter((mark) => one[mark]).join(" ");
  const item = element("li", { "data-document": one.document, "data-pair": one.pair, "data-type": one.type, class: marks || null },
    element("p", { class: "sentence" }, ...sentenceWithPair(one)),
    element("p", { class: "said" },
      element("strong", {}, asProbability(one.probability)), ...badges(one),
      element("span", {}, `${one.shown[0]} ${signBetween(one)} ${one.shown[1]}`),
      documentLink(one), ...(one.year ? [element("span", {}, String(one.year))] : []), why),
    element("div", { class: "judge" }));
  item.row = one; // what is judged
  return item;
}

export function pager(answer, values) {
  if (answer.pages < 2) return [];
  const to = (page, text) => {
    const query = new URLSearchParams(values);
    query.set("page", page);
    return element("a", { href: `${location.pathname}?${query}` }, text);
  };
  return [element("nav", { class: "pager", "aria-label": "Pages of the list" },
    ...(answer.page > 1 ? [to(answer.page - 1, "Previous page")] : []),
    element("span", { class: "hint" }, `Page ${answer.page.toLocaleString("en")} of ${answer.pages.toLocaleString("en")}`),
    ...(answer.page < answer.pages ? [to(answer.page + 1, "Next page")] : []))];
}

export function card(heading, ...children) {
  return element("section", { class: "card" }, ...(heading ? [element("h2", {}, heading)] : []), ...children);
}

export const emptyNote = (what, cure) => element("p", { class: "empty" }, element("strong", {}, what), " ", cure);
