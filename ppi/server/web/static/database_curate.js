// What to judge next, in the order that the curator chooses, and what was judged.

import { asked, queryOf } from "./api.js";
import { card, emptyNote, sentenceList } from "./database_parts.js";
import { counted, element } from "./dom.js";

const WAYS = [
  ["top", "the top of the list", "most probable first"],
  ["uncertain", "what is uncertain", "probability closest to one half"],
  ["change", "what would change the list most", "judging it moves most of the others"],
];
const COUNT = 20;

export async function curatePage(context) {
  const way = context.values.get("way") || "top", protein = context.values.get("protein") || "";
  context.report("Choosing what to judge next; the first time this takes some seconds…");
  const answer = await (await asked("/api/curation/next", { way, protein, count: COUNT }, context.report)).json();
  const judged = await (await asked("/api/curation/judgements", {}, context.report)).json();
  const title = protein ? `What to judge next of ${protein}` : "What to judge next";
  return {
    title,
    parts: [
      element("section", { class: "card head" }, element("h1", { id: "heading", tabindex: "-1" }, title), ways(way, protein)),
      card(null, answer.sentences.length ? sentenceList(answer.sentences, context) : emptyNote("Everything is judged.", "Take another protein, or none.")),
      card(`${counted(judged.count, "judgement", "judgements")}, the latest first`, judgedList(judged.judgements)),
    ],
    download: null,
  };
}

function ways(chosen, protein) {
  return element("ul", { class: "ways-to-choose", "aria-label": "Order" }, ...WAYS.map(([way, name, meaning]) => element("li", {},
    element("a", { href: `/database/curate?${queryOf({ way, protein })}`, "aria-current": way === chosen ? "true" : null }, name),
    element("span", { class: "hint" }, meaning))));
}

function judgedList(judgements) {
  if (!judgements.length) return emptyNote("Nothing was judged yet.", "Begin with the list above.");
  return element("ol", { class: "judged-list" }, ...judgements.map((one) => element("li", {},
    element("strong", {}, one.verdict), ` ${one.names.join(" and ")} `,
    element("span", { class: "hint" }, `${one.curator}, ${one.time.slice(0, 16).replace("T", " ")} UTC${one.comment ? `: ${one.comment}` : ""}`),
    element("span", { class: "snippet" }, one.sentence))));
}
