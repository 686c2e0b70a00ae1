// The texts with their protein names marked.

import { CodePoints, element } from "./dom.js";

const SHOWN_AT_FIRST = 30;

export function showDocuments(container, documents) {
  const articles = documents.slice(0, SHOWN_AT_FIRST).map(article);
  container.replaceChildren(...articles);
  if (documents.length > SHOWN_AT_FIRST) {
    const rest = documents.slice(SHOWN_AT_FIRST);
    const button = element("button", { type: "button" }, `Show ${rest.length} more documents`);
    button.addEventListener("click", () => {
      button.replaceWith(...rest.map(article));
      container.dispatchEvent(new CustomEvent("more", { bubbles: true }));
    });
    container.append(button);
  }

  function article(one) {
    const body = passages(one).map((parts) => element("p", {}, ...parts));
    const heading = documents.length > 1 ? [element("h3", {}, one.id)] : [];
    return element("article", { "data-document": one.id }, ...heading, ...body);
  }
}

// Sentences lie in the passages of the source; what is between them (spaces) is taken from there.
function passages(one) {
  const sentences = [...one.sentences].sort((a, b) => a.offset - b.offset);
  return one.source.sentences.map((passage) => {
    const start = passage.offset || 0;
    const text = new CodePoints(passage.text);
    const parts = [];
    let at = 0;
    for (const sentence of sentences) {
      const first = sentence.offset - start;
      const own = new CodePoints(sentence.text);
      if (first < at || first + own.length > text.length || text.slice(first, first + own.length) !== sentence.text) continue;
      parts.push(text.slice(at, first), element("span", { "data-sentence": sentence.id }, ...marked(own, proteinsOf(sentence))));
      at = first + own.length;
    }
    parts.push(text.slice(at));
    return parts;
  });
}

// Chemicals, diseases and so on, which a file may also name, are left unmarked.
export const proteinsOf = (sentence) => sentence.entities.filter((entity) => entity.protein !== null);

// Names may overlap, nest and have gaps: the text is cut at every boundary, and a piece belongs to all names over it.
function marked(text, entities) {
  const bounds = new Set([0, text.length]);
  for (const entity of entities) for (const [start, end] of entity.spans) bounds.add(start).add(end);
  const cuts = [...bounds].sort((a, b) => a - b);
  const pieces = [];
  for (let n = 0; n + 1 < cuts.length; n += 1) {
    const [start, end] = [cuts[n], cuts[n + 1]];
    const over = entities.filter((entity) => entity.spans.some((span) => span[0] <= start && end <= span[1]));
    const piece = text.slice(start, end);
    pieces.push(over.length ? mark(over, piece) : piece);
  }
  return pieces;
}

function mark(entities, piece) {
  const identifiers = entities.flatMap((entity) => entity.identifiers || []).join(", ");
  const ids = JSON.stringify(entities.map((entity) => entity.id));
  return element("mark", { "data-entities": ids, title: identifiers || null }, piece);
}

// Names that take part in an interaction that is shown stand out.
export function markActive(container, interactions) {
  const active = new Set(interactions.flatMap((one) => one.ids.map((id) => key(one.document, id))));
  for (const article of container.querySelectorAll("article")) {
    for (const mark of article.querySelectorAll("mark")) {
      const ids = JSON.parse(mark.dataset.entities);
      mark.classList.toggle("active", ids.some((id) => active.has(key(article.dataset.document, id))));
    }
  }
}

// The two names of an interaction, while a row of the table is pointed at or has the focus; null for none.
export function pointAt(container, interaction) {
  for (const mark of container.querySelectorAll("mark.first, mark.second")) mark.classList.remove("first", "second");
  if (!interaction) return;
  for (const article of container.querySelectorAll("article")) {
    if (article.dataset.document !== interaction.document) continue;
    for (const mark of article.querySelectorAll("mark")) {
      const sides = interaction.ids.map((id) => JSON.parse(mark.dataset.entities).includes(id));
      mark.classList.toggle("first", sides[0]);
      mark.classList.toggle("second", !sides[0] && sides[1]);
    }
  }
}

const key = (document, entity) => JSON.stringify([document, entity]);
