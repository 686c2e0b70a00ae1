// Elements are made here and nowhere else, always with textContent: no text is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svgElement(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children); // strings become text nodes
  return node;
}

// The server counts characters as Python does (code points); JavaScript's strings count UTF-16 units.
export class CodePoints {
  constructor(text) {
    this.points = Array.from(text);
    this.length = this.points.length;
  }

  slice(start, end) {
    return this.points.slice(start, end).join("");
  }
}

export const asProbability = (value) => value.toFixed(2);

export const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
