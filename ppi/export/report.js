"use strict";
(() => {
  const slider = document.getElementById("threshold");
  const pairs = Array.from(document.querySelectorAll("tbody.pair"));
  const chips = Array.from(document.querySelectorAll(".chips li"));
  const edges = Array.from(document.querySelectorAll(".network .edge"));
  const nodes = Array.from(document.querySelectorAll(".network .node"));
  const boxes = Array.from(document.querySelectorAll(".type-box"));
  const off = () => new Set(boxes.filter((box) => !box.checked).map((box) => box.value));

  const filter = () => {
    const limit = Number(slider.value);
    const without = off();
    const out = ({ dataset }) => Number(dataset.probability) < limit || without.has(dataset.type);
    document.getElementById("value").textContent = limit.toFixed(2);
    pairs.forEach((pair) => { pair.hidden = out(pair); });
    chips.forEach((chip) => { chip.hidden = out(chip); });
    const seen = new Set();
    edges.forEach((edge) => {
      const gone = out(edge);
      edge.classList.toggle("gone", gone);
      if (!gone) { seen.add(edge.dataset.source).add(edge.dataset.target); }
    });
    nodes.forEach((node) => node.classList.toggle("faded", !seen.has(node.dataset.key)));
    const left = pairs.filter((pair) => !pair.hidden).length;
    document.getElementById("count").textContent =
      left === pairs.length ? `${left} pair${left === 1 ? "" : "s"}` : `${left} of ${pairs.length} pairs`;
  };

  const sort = (button) => {
    const heading = button.parentElement;
    const key = button.dataset.sort;
    const now = heading.getAttribute("aria-sort");
    const order = !now ? button.dataset.first : now === "ascending" ? "descending" : "ascending";
    const sign = order === "ascending" ? 1 : -1;
    const compare = (a, b) =>
      key === "name" ? a.dataset.name.localeCompare(b.dataset.name) : Number(a.dataset[key]) - Number(b.dataset[key]);
    const table = document.getElementById("table");
    pairs.slice().sort((a, b) => sign * compare(a, b)).forEach((pair) => table.append(pair));
    table.querySelectorAll("thead th").forEach((each) => each.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", order);
  };

  [slider, ...boxes].forEach((control) => control.addEventListener("input", filter));
  document.querySelectorAll("thead button").forEach((button) => button.addEventListener("click", () => sort(button)));
  filter();
})();
