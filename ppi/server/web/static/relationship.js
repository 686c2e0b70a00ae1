// How two proteins are related, in the words and signs of ppi.annotation.relationship.

export const TYPES = ["binding", "modification", "regulation"];

export const isDirected = (one) => Boolean(one.agent && one.target);

// The two places, the agent's first where there is one.
export const places = (one) => (isDirected(one) && one.agent === one.proteins[1].id ? [1, 0] : [0, 1]);

// An interaction with what the parts of a page need of it, looked up once.
export const withNames = (interaction) => ({
  ...interaction,
  names: interaction.proteins.map((protein) => protein.text),
  shown: places(interaction).map((place, n) => (n && interaction.homo ? ITSELF : interaction.proteins[place].text)),
  ids: interaction.proteins.map((protein) => protein.id),
});

// Of an interaction, or of an edge of the network, which knows whether it is directed.
export function signBetween(one) {
  const { type, sign, directed = isDirected(one) } = one;
  if (!type) return "–";
  if (type === "binding" || !directed) return "—";
  return sign === "negative" ? "⊣" : "→";
}

export function labelOf({ type, sign, kind }) {
  if (type === "modification" && kind) return kind;
  if (type === "regulation" && sign) return `${sign} ${type}`;
  return type || "";
}

// What stands in place of the second name of a protein that interacts with itself.
export const ITSELF = "itself";

export const doubtsOf = (one) => ["negated", "hedged"].filter((mark) => one[mark]);

// Which interactions are shown: the boxes of the page, which are there only if the answer has something to choose.
export class Choice {
  constructor(byId) {
    this.types = byId("types");
    this.doubts = { negated: byId("negated"), hedged: byId("hedged") };
    this.boxes = [...this.types.querySelectorAll("input")];
    this.group = byId("choices");
  }

  offer(interactions) {
    const known = new Set(interactions.map((one) => one.type));
    for (const box of this.boxes) box.closest("label").hidden = !known.has(box.value);
    this.types.hidden = !TYPES.some((type) => known.has(type));
    for (const [mark, box] of Object.entries(this.doubts)) {
      box.closest("label").hidden = !interactions.some((one) => one[mark]);
    }
    this.group.hidden = [...this.group.querySelectorAll("label")].every((label) => label.hidden);
  }

  keeps(one) {
    const unchecked = this.boxes.some((box) => box.value === one.type && !box.checked);
    return !unchecked && doubtsOf(one).every((mark) => this.doubts[mark].checked);
  }

  // As the server's requests have it.
  request() {
    const chosen = this.boxes.filter((box) => box.checked || box.closest("label").hidden).map((box) => box.value);
    return {
      types: chosen.length === this.boxes.length ? null : chosen,
      include_negated: this.doubts.negated.checked,
      include_hedged: this.doubts.hedged.checked,
    };
  }

  onChange(refresh) {
    for (const box of [...this.boxes, ...Object.values(this.doubts)]) box.addEventListener("change", refresh);
  }
}
