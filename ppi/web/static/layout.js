// Places for the nodes of a graph: springs within each connected part, the parts side by side in rows.

const ROUNDS = 250;
const NARROW = 600; // a narrower drawing is made tall
const SIDE = 72; // room for a label on either side of a node
const [ABOVE, BELOW] = [22, 44];

// edges: { source, target, probability }, strongest first.  Gives a Map from node to { x, y }, x between 0 and width.
export function layout(edges, { width, most }) {
  const nodes = [];
  const known = new Set();
  for (const edge of edges) {
    for (const node of [edge.source, edge.target]) {
      if (!known.has(node) && nodes.length < most) nodes.push(node);
      if (nodes.length <= most) known.add(node);
    }
  }
  const kept = new Set(nodes);
  const inside = edges.filter((edge) => kept.has(edge.source) && kept.has(edge.target) && edge.source !== edge.target);
  const parts = components(nodes, inside).map((part) => box(part, inside, width));
  return packed(parts, width);
}

function components(nodes, edges) {
  const group = new Map(nodes.map((node) => [node, node]));
  const root = (node) => {
    let at = node;
    while (group.get(at) !== at) at = group.get(at);
    return at;
  };
  for (const { source, target } of edges) group.set(root(source), root(target));
  const parts = new Map();
  for (const node of nodes) parts.set(root(node), [...(parts.get(root(node)) || []), node]);
  return [...parts.values()].sort((a, b) => b.length - a.length);
}

// One part, its upper left corner at the origin, no wider than the whole may be.
function box(nodes, edges, width) {
  const points = springs(nodes, edges, width < NARROW);
  const [left, right] = extent(points.map((point) => point.x));
  const [top, bottom] = extent(points.map((point) => point.y));
  const shrink = Math.min(1, (width - 2 * SIDE) / Math.max(right - left, 1));
  return {
    places: nodes.map((node, n) => [node, SIDE + shrink * (points[n].x - left), ABOVE + points[n].y - top]),
    width: 2 * SIDE + shrink * (right - left),
    height: ABOVE + BELOW + bottom - top,
  };
}

function packed(boxes, width) {
  const places = new Map();
  let [x, y, high] = [0, 0, 0];
  for (const one of boxes) {
    if (x && x + one.width > width) [x, y, high] = [0, y + high, 0];
    for (const [node, dx, dy] of one.places) places.set(node, { x: x + dx, y: y + dy });
    x += one.width;
    high = Math.max(high, one.height);
  }
  return places;
}

// Fruchterman and Reingold's springs, from a circle, without chance: the same graph always looks the same.
function springs(nodes, edges, tall) {
  const ideal = tall ? 70 : 105;
  const index = new Map(nodes.map((node, n) => [node, n]));
  const points = nodes.map((_, n) => {
    const angle = (2 * Math.PI * n) / nodes.length;
    const radius = (ideal * Math.sqrt(nodes.length)) / 2;
    const [x, y] = [1.5 * radius * Math.cos(angle), radius * Math.sin(angle)];
    return tall ? { x: y, y: x } : { x, y };
  });
  const [inward, downward] = tall ? [0.2, 0.02] : [0.05, 0.12]; // to the middle, weaker along the longer side
  const pulls = edges
    .filter((edge) => index.has(edge.source))
    .map((edge) => [index.get(edge.source), index.get(edge.target), 0.15 + edge.probability ** 2]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const moves = points.map((point) => ({ x: -inward * point.x, y: -downward * point.y }));
    step(points, moves, pulls, ideal, 30 * (1 - round / ROUNDS) + 0.5);
  }
  return points;
}

function step(points, moves, pulls, ideal, most) {
  for (let a = 0; a < points.length; a += 1) {
    for (let b = a + 1; b < points.length; b += 1) push(points, moves, a, b, (distance) => ideal ** 2 / distance);
  }
  for (const [a, b, strength] of pulls) push(points, moves, a, b, (distance) => (-strength * distance ** 2) / ideal);
  points.forEach((point, n) => {
    const length = Math.hypot(moves[n].x, moves[n].y) || 1;
    point.x += (moves[n].x / length) * Math.min(length, most);
    point.y += (moves[n].y / length) * Math.min(length, most);
  });
}

function push(points, moves, a, b, force) {
  const [dx, dy] = [points[a].x - points[b].x || 0.01, points[a].y - points[b].y];
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const [x, y] = [(dx / distance) * force(distance), (dy / distance) * force(distance)];
  moves[a].x += x;
  moves[a].y += y;
  moves[b].x -= x;
  moves[b].y -= y;
}

export const extent = (values) => [Math.min(...values), Math.max(...values)];
