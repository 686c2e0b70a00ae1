// A pair's page: the ways in which two proteins interact, and every sentence about them.

import { asked } from "./api.js";
import { card, emptyNote, pager, pairsTable, proteinLink, sentenceList } from "./database_parts.js";
import { counted, element } from "./dom.js";
import { identityLine } from "./identity.js";
import { ITSELF } from "./relationship.js";

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
  return pairsTable(pairs, "Ways in which the two are said to interact, with the papers that say so.", { link: false });
}
