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
      parts.push(text.slice(at, first), element("span", { "data-sentence": sentence.id }, ...marked(own, sentence.entities)));
      at = first + own.length;
    }
    parts.push(text.slice(at));
    return parts;
  });
}

// Names may overlap, nest and have gaps: the text is cut at every boundary, and a piece belongs to all names over it.
export function marked(text, entities) {
  const bounds = new Set([0, text.length]);
  for (const entity of entities) for (const [start, end] of entity.spans) bounds.add(start).add(end);
  const cuts = [...bounds].sort((a, b) => a - b);
  const pieces = [];
  for (let n = 0; n + 1 < cuts.length; n += 1) {
    const [start, end] = [cuts[n], cuts[n + 1]];
    const over = entities.filter((entity) => entity.spans.some((span) => span[0] <= start && end <= span[1]));
    const piece = text.slice(start, end);
    pieces.push(over.length ? element("mark", { "data-entities": JSON.stringify(over.map((each) => each.id)) }, piece) : piece);
  }
  return pieces;
}

// Names that take part in an interaction that is shown stand out.
export function markActive(container, interactions) {
  const active = new Set(interactions.flatMap((one) => one.entities.map((id) => key(one.document, id))));
  for (const article of container.querySelectorAll("article")) {
    for (const mark of article.querySelectorAll("mark")) {
      const ids = JSON.parse(mark.dataset.entities);
      mark.classList.toggle("active", ids.some((id) => active.has(key(article.dataset.document, id))));
    }
  }
}

const key = (document, entity) => JSON.stringify([document, entity]);
