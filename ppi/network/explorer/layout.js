// Places for the nodes of a graph: springs within each connected part, labels pushed apart, the parts set in rows.

const IDEAL = 42; // length of an edge, before widening
const REACH = 5; // in lengths of an edge, how far nodes push each other
const WIDER = 1.7; // labels are wide: everything stands further apart sideways
const LABEL_HEIGHT = 46; // of a node with its label below
const [SIDE, ABOVE, BELOW] = [12, 16, 34]; // around a part
const MOST_ROUNDS = 260;

// nodes: [{ id, width }], with the width of the label; edges: [{ source, target }].  Gives a Map from id to { x, y }.
export function layout(nodes, edges, { width, height }) {
  const widths = new Map(nodes.map((node) => [node.id, node.width]));
  const inside = edges.filter((edge) => edge.source !== edge.target);
  const parts = components(nodes.map((node) => node.id), inside).map((part) => box(part, inside, widths, width > height));
  return bestPacked(parts, width, height);
}

function components(nodes, edges) {
  const group = new Map(nodes.map((node) => [node, node]));
  const root = (node) => {
    let at = node;
    while (group.get(at) !== at) {
      group.set(at, group.get(group.get(at)));
      at = group.get(at);
    }
    return at;
  };
  for (const { source, target } of edges) group.set(root(source), root(target));
  const parts = new Map();
  for (const node of nodes) {
    const at = root(node);
    if (!parts.has(at)) parts.set(at, []);
    parts.get(at).push(node);
  }
  return [...parts.values()].sort((a, b) => b.length - a.length);
}

// One part, its upper left corner at the origin.
function box(nodes, edges, widths, lying) {
  const index = new Map(nodes.map((node, n) => [node, n]));
  const pulls = edges.filter((edge) => index.has(edge.source)).map((edge) => [index.get(edge.source), index.get(edge.target)]);
  const points = turned(springs(nodes.length, pulls), lying).map(({ x, y }) => ({ x: WIDER * x, y }));
  const halves = nodes.map((node) => widths.get(node) / 2);
  pushApart(points, halves);
  const left = Math.min(...points.map((point, n) => point.x - halves[n])) - SIDE;
  const right = Math.max(...points.map((point, n) => point.x + halves[n])) + SIDE;
  const [top, bottom] = [Math.min(...points.map((point) => point.y)) - ABOVE, Math.max(...points.map((point) => point.y)) + BELOW];
  return {
    places: nodes.map((node, n) => [node, points[n].x - left, points[n].y - top]),
    width: right - left,
    height: bottom - top,
  };
}

// Fruchterman and Reingold's springs, from a circle, without chance: the same graph always looks the same.
function springs(count, pulls) {
  const radius = (IDEAL * Math.sqrt(count)) / 2;
  const points = Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const rounds = Math.max(60, Math.min(MOST_ROUNDS, Math.round(40_000 / count)));
  for (let round = 0; round < rounds; round += 1) {
    const moves = points.map((point) => ({ x: -0.03 * point.x, y: -0.03 * point.y })); // towards the middle
    for (let a = 0; a < count; a += 1) for (let b = a + 1; b < count; b += 1) push(points, moves, a, b, repulsion);
    for (const [a, b] of pulls) push(points, moves, a, b, attraction);
    step(points, moves, 30 * (1 - round / rounds) + 0.5);
  }
  return points;
}

// Nodes far from each other do not mind: long chains may fold.
const repulsion = (distance) => (distance < REACH * IDEAL ? IDEAL ** 2 / distance : 0);
const attraction = (distance) => -(distance ** 2) / IDEAL;

function push(points, moves, a, b, force) {
  const [dx, dy] = [points[a].x - points[b].x || 0.01, points[a].y - points[b].y];
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const strength = force(distance) / distance;
  moves[a].x += strength * dx;
  moves[a].y += strength * dy;
  moves[b].x -= strength * dx;
  moves[b].y -= strength * dy;
}

function step(points, moves, most) {
  points.forEach((point, n) => {
    const length = Math.hypot(moves[n].x, moves[n].y) || 1;
    point.x += (moves[n].x / length) * Math.min(length, most);
    point.y += (moves[n].y / length) * Math.min(length, most);
  });
}

// Turned so that it reaches furthest along the longer side of the page.
function turned(points, lying) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const [xx, xy, yy] = [
    mean(points.map(({ x }) => (x - mx) ** 2)), mean(points.map(({ x, y }) => (x - mx) * (y - my))), mean(points.map(({ y }) => (y - my) ** 2)),
  ];
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + (lying ? 0 : Math.PI / 2); // of the first principal axis
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(({ x, y }) => ({ x: cos * (x - mx) + sin * (y - my), y: cos * (y - my) - sin * (x - mx) }));
}

// Nodes with their labels below are boxes; boxes that overlap move apart along the shorter way.
function pushApart(points, halves) {
  for (let round = 0; round < 60; round += 1) {
    let moved = false;
    for (let a = 0; a < points.length; a += 1) {
      for (let b = a + 1; b < points.length; b += 1) {
        const [dx, dy] = [points[b].x - points[a].x, points[b].y - points[a].y];
        const [overX, overY] = [halves[a] + halves[b] + 6 - Math.abs(dx), LABEL_HEIGHT - Math.abs(dy)];
        if (overX <= 0 || overY <= 0) continue;
        moved = true;
        if (overX < overY) {
          points[a].x -= (Math.sign(dx || 1) * overX) / 2;
          points[b].x += (Math.sign(dx || 1) * overX) / 2;
        } else {
          points[a].y -= (Math.sign(dy || 1) * overY) / 2;
          points[b].y += (Math.sign(dy || 1) * overY) / 2;
        }
      }
    }
    if (!moved) return;
  }
}

// In rows as long as makes the whole largest where it is shown.
function bestPacked(parts, width, height) {
  let best = null;
  for (let row = Math.max(...parts.map((part) => part.width), 1); ; row *= 1.2) {
    const packed = rows(parts, row);
    const zoom = Math.min(width / packed.width, height / packed.height, 1);
    if (!best || zoom > best.zoom) best = { ...packed, zoom };
    if (packed.rows === 1) return best.places;
  }
}

function rows(parts, most) {
  const places = new Map();
  let [x, y, high, count, right] = [0, 0, 0, 1, 1];
  for (const part of parts) {
    if (x && x + part.width > most) [x, y, high, count] = [0, y + high, 0, count + 1];
    for (const [node, dx, dy] of part.places) places.set(node, { x: x + dx, y: y + dy });
    x += part.width;
    right = Math.max(right, x);
    high = Math.max(high, part.height);
  }
  return { places, width: right, height: Math.max(y + high, 1), rows: parts.length ? count : 1 };
}

const NAME_HEIGHT = 20; // of a label with what is between it and its node

// On which side of its node each label stands: below, unless a line runs there and above it is free of lines and nodes.
// nodes: [{ id, width, size }], with the width of the label and of the node.  O(nodes * (nodes + edges)).
export function labelSides(nodes, edges, places) {
  const lines = edges.filter((edge) => edge.source !== edge.target).map((edge) => [places.get(edge.source), places.get(edge.target)]);
  const sides = new Map(nodes.map((node) => [node.id, "bottom"]));
  const taken = new Map(nodes.map((node) => [node.id, around(node, places.get(node.id), "bottom")]));
  for (const node of nodes) {
    const [below, above] = ["bottom", "top"].map((side) => nameBox(node, places.get(node.id), side));
    if (!lines.some((line) => crosses(line, below)) || lines.some((line) => crosses(line, above))) continue;
    if ([...taken].some(([id, box]) => id !== node.id && overlap(box, above))) continue;
    sides.set(node.id, "top");
    taken.set(node.id, around(node, places.get(node.id), "top"));
  }
  return sides;
}

// Boxes are [left, top, right, bottom].
function nameBox({ width, size }, { x, y }, side) {
  const near = y + (side === "bottom" ? size / 2 : -size / 2 - NAME_HEIGHT);
  return [x - width / 2, near, x + width / 2, near + NAME_HEIGHT];
}

function around(node, place, side) {
  const [left, top, right, bottom] = nameBox(node, place, side);
  return [left, Math.min(top, place.y - node.size / 2), right, Math.max(bottom, place.y + node.size / 2)];
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Liang and Barsky's clipping: whether any part of a line is inside a box.
function crosses([from, to], [left, top, right, bottom]) {
  let [first, last] = [0, 1];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (const [step, room] of [[-dx, from.x - left], [dx, right - from.x], [-dy, from.y - top], [dy, bottom - from.y]]) {
    if (step === 0 && room < 0) return false;
    if (step < 0) first = Math.max(first, room / step);
    if (step > 0) last = Math.min(last, room / step);
  }
  return first <= last;
}
