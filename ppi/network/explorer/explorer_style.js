// How the network looks, in Cytoscape's words; colours are those of the page, so that it fits light and dark ones.

// Of names, at zoom 1.
export const LABEL = { size: 13, most: 16 }; // in pixels, in characters
const DASHES = { binding: null, modification: [8, 4], regulation: [2, 4] };

export function shortened(label) {
  const points = Array.from(label);
  return points.length > LABEL.most ? `${points.slice(0, LABEL.most - 1).join("")}…` : label;
}

export const nodeSize = (degree) => 12 + 3 * Math.min(degree, 8);

export function stylesheet(element) {
  const page = getComputedStyle(element);
  const colour = (name) => page.getPropertyValue(`--${name}`).trim();
  return [
    {
      selector: "node",
      style: {
        label: "data(shown)", width: "data(size)", height: "data(size)",
        "background-color": colour("card"), "border-width": 2.5, "border-color": colour("quiet"),
        color: colour("ink"), "font-size": "data(font)", "font-weight": 600, "font-family": page.fontFamily,
        "text-valign": "data(side)", "text-margin-y": 3, "min-zoomed-font-size": 7,
        // what is behind a label is hidden, so that no line runs through it
        "text-background-color": colour("card"), "text-background-opacity": 0.9, "text-background-padding": "1px",
      },
    },
    { selector: 'node[side="top"]', style: { "text-margin-y": -3 } },
    { selector: "node[?known]", style: { "border-color": colour("accent"), "background-color": colour("accent") } },
    {
      selector: "edge",
      style: {
        "curve-style": "bezier", "control-point-step-size": 34, width: "data(width)", opacity: "data(opacity)",
        "line-color": colour("accent"), "target-arrow-color": colour("accent"), "arrow-scale": 1.1,
        "loop-direction": "-45deg", "loop-sweep": "60deg",
      },
    },
    ...Object.entries(DASHES).map(([type, dashes]) => ({
      selector: `edge[type="${type}"]`,
      style: {
        "line-color": colour(type), "target-arrow-color": colour(type),
        ...(dashes ? { "line-style": "dashed", "line-dash-pattern": dashes } : {}),
      },
    })),
    { selector: "edge[head]", style: { "target-arrow-shape": "data(head)" } },
    { selector: ".beside", style: { opacity: 0.25 } },
    { selector: "node.beside", style: { "text-opacity": 0.6 } },
    { selector: "node.chosen", style: { "border-color": colour("down") || colour("ink"), "border-width": 5 } },
    { selector: "edge.pointed", style: { opacity: 1, width: 6 } },
    { selector: ":active, node:selected", style: { "overlay-opacity": 0.08 } },
  ];
}
