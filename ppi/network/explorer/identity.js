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

// By name, or by the number of the taxon.
export function speciesOf(mention) {
  const [species, taxon] = [remark(mention, "species"), remark(mention, "taxid")];
  const numbered = /^\d*$/.test(species);
  if (!numbered) return species;
  return taxon || species ? `taxon ${taxon || species}` : "";
}

export function identifiersOf(mention) {
  const accession = remark(mention, "uniprot");
  return [...(mention.identifiers || []), ...(accession ? [`uniprot:${accession}`] : [])];
}

// Only what tells something: nearly everything here is a protein.
export function kindOf(mention) {
  const kind = (remark(mention, "entity_kind") || mention.type || "").toLowerCase();
  return /^(protein|gene|ggp|gene_or_gene_product)$/.test(kind) ? "" : kind;
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
