// A pair's page: the ways in which two proteins interact, and every sentence about them.

import { asked } from "./api.js";
import { card, emptyNote, pager, pairName, proteinLink, sentenceList, support } from "./database_parts.js";
import { asProbability, counted, element } from "./dom.js";
import { identityLine } from "./identity.js";
import { ITSELF } from "./relationship.js";
import { badges } from "./table.js";

export async function pairPage(context) {
  const { values } = context;
  const ends = { first: values.get("first"), second: values.get("second") };
  const answer = await (await asked("/api/database/pair", { ...ends, type: values.getAll("type"), page: values.get("page") }, context.report)).json();
  const { first, second } = answer;
  const itself = first.key === second.key;
  const title = `${first.label} and ${itself ? ITSELF : second.label}`;
  return {
    title,
    parts: [
      element("section", { class: "card head" }, element("h1", { id: "heading", tabindex: "-1" }, title),
        ...(itself ? [first] : [first, second]).map(who), ways(answer.pairs)),
      card(counted(answer.count, "sentence", "sentences"),
        answer.count ? sentenceList(answer.sentences, context) : emptyNote("No sentence names the two together.", "Look at each of them."),
        ...pager(answer, values)),
    ],
    download: answer.count ? {
      wanted: { protein: first.key, partner: second.key, type: values.getAll("type"), include_negated: true, include_hedged: true },
      what: `All sentences about ${title}, also those that deny it or only suppose it, marked so.`,
    } : null,
  };
}

function who(protein) {
  return element("div", {}, element("p", {}, proteinLink(protein)), identityLine(protein));
}

function ways(pairs) {
  if (!pairs.length) return "";
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Ways, scrolls sideways" }, element("table", { class: "ways" },
    element("caption", { class: "visually-hidden" }, "Ways in which the two are said to interact"),
    element("thead", {}, element("tr", {}, ...["How", "Support", "Probability"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...pairs.map((pair) => element("tr", { "data-type": pair.type },
      element("td", {}, pairName(pair), ...badges(pair)), element("td", {}, support(pair)),
      element("td", { class: "number" }, asProbability(pair.probability)))))));
}
