// Judging the sentences of a page, by mouse and keyboard; every judgement is kept by the server before it is shown as kept.

import { asked, sent } from "./api.js";
import { JudgingBar } from "./judging_bar.js";
import { Ranking } from "./judging_ranking.js";
import { JudgedRow, VERDICTS } from "./judging_row.js";

const KEYS = new Map(VERDICTS.map(([verdict, key]) => [key, verdict]));
const page = { rows: [], status: null, ranking: null };

const bar = new JudgingBar({ undo: () => undo(), renamed: () => lookAgain() });

// The sentences of the page, if the run can be judged.
export async function judgeRows(items) {
  try {
    page.status = await (await asked("/api/curation")).json();
  } catch {
    return; // a server without curation
  }
  bar.show(page.status);
  page.rows = items.filter((item) => item.row && item.querySelector(".judge")).map((item) => new JudgedRow(item, say));
  if (!page.rows.length) return;
  page.rows[0].makeCurrent(true);
  const list = page.rows[0].item.parentNode;
  list.addEventListener("focusin", (event) => moveTo(page.rows.find((row) => row.item.contains(event.target)), false));
  list.addEventListener("keydown", pressed);
  if (page.status.learns) page.ranking = new Ranking(page.rows, (message) => bar.fail(message));
  await lookAgain();
}

// What holds of the rows, for whoever judges now.
async function lookAgain() {
  if (!page.rows.length) return;
  const known = new Map(page.rows.map((row) => [row, row.shown]));
  try {
    const states = await sent("/api/curation/states", { rows: page.rows.map((row) => row.key) });
    for (const state of states) {
      const row = page.rows.find((one) => one.is(state));
      // what was judged since the question was sent is newer than its answer
      if (row && row.shown === known.get(row)) row.show(state.judgements, bar.curator);
    }
    if (bar.curator) page.ranking?.refresh();
  } catch (error) {
    bar.fail(error.message);
  }
}

async function say(row, verdict, more) {
  if (!bar.named()) return;
  row.busy(true);
  try {
    const answer = await sent("/api/curation/judge", { ...row.key, verdict, curator: bar.curator, ...more });
    row.show(answer.row, bar.curator);
    bar.count(answer.judged);
    bar.report(`${row.name}: ${verdict}.`);
    page.ranking?.refresh();
  } catch (error) {
    bar.fail(`${row.name}: not kept. ${error.message}`);
  } finally {
    row.busy(false);
  }
}

async function undo() {
  if (!bar.named()) return;
  try {
    const answer = await sent("/api/curation/undo", { curator: bar.curator });
    const row = page.rows.find((one) => one.is(answer.judgement));
    row?.show(answer.row, bar.curator);
    bar.count(answer.judged);
    bar.report(`${answer.judgement.names.join(" and ")}: ${answer.judgement.verdict} is taken back.`);
    if (row) moveTo(row, true);
    page.ranking?.refresh();
  } catch (error) {
    bar.fail(error.message);
  }
}

// Keys are heard inside of the list alone, so that none is taken from the rest of the page or from a screen reader.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const row = page.rows.find((one) => one.item.contains(event.target));
  const verdict = KEYS.get(event.key), step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (verdict) {
    const next = nextUnjudged(row);
    if (bar.named() && row.judge(verdict)) moveTo(next, true);
  } else if (step) moveTo(neighbour(row, step), true);
  else if (event.key === "u") undo();
  else if (event.key === "c") row.comment();
  else return;
  event.preventDefault();
}

const inOrder = () => [...page.rows[0].item.parentNode.children].map((item) => page.rows.find((row) => row.item === item)).filter(Boolean);

function neighbour(row, step) {
  const rows = inOrder();
  return rows[Math.min(Math.max(rows.indexOf(row) + step, 0), rows.length - 1)];
}

// The next row below that this curator has not judged; from the end on, from the top.
function nextUnjudged(row) {
  const rows = inOrder(), at = rows.indexOf(row);
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find((one) => !one.own) || row;
}

function moveTo(row, focus) {
  if (!row) return;
  for (const one of page.rows) if (one !== row && one.item.tabIndex === 0) one.makeCurrent(false);
  row.makeCurrent(true);
  if (focus) row.item.focus();
}
