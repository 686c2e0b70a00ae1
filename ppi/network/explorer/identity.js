// Who a protein is, for people: identifiers with a link, species, other names.  All of it may be missing.

import { element } from "./dom.js";

const CURIE = /^([A-Za-z][A-Za-z0-9._]*):([A-Za-z0-9._-]+)$/;

// The page about an identifier such as ncbigene:5216; null for what is none.
export function identifierUrl(identifier) {
  const parts = CURIE.exec(identifier);
  return parts ? `https://bioregistry.io/${parts[1].toLowerCase()}:${parts[2]}` : null;
}

export function identifierLink(identifier) {
  const href = identifierUrl(identifier);
  return href ? element("a", { href, rel: "noopener noreferrer", target: "_blank" }, identifier) : element("span", {}, identifier);
}

// Remarks of a mention are a list of pairs of texts.
export const remark = (mention, name) => (mention.infons || []).find((pair) => pair[0] === name)?.[1] || "";

export function speciesOf(mention) {
  const taxon = remark(mention, "taxid");
  return remark(mention, "species") || (taxon ? `taxon ${taxon}` : "");
}

// A line of parts: identifiers, species, kind, other names; empty for a protein that is only a name.
export function identityLine({ identifiers = [], species = "", kind = "", names = [], label = "" }) {
  const others = names.filter((name) => name !== label);
  const parts = [
    ...identifiers.map(identifierLink),
    ...(species ? [element("span", {}, species)] : []),
    ...(kind ? [element("span", {}, kind)] : []),
    ...(others.length ? [element("span", {}, `also written ${others.slice(0, 6).join(", ")}${others.length > 6 ? " …" : ""}`)] : []),
  ];
  return element("p", { class: "identity" }, ...parts.flatMap((part, n) => (n ? [" · ", part] : [part])));
}
