// Puts the parts together: form in, results out, one threshold for all of them.

import { annotateFile, annotateText, exported, formats, saveAs } from "./api.js";
import { asProbability, byId, counted, element } from "./dom.js";
import { EvidenceDialog } from "./evidence.js";
import { EXAMPLE } from "./example.js";
import { Network } from "./network.js";
import { Choice, withNames } from "./relationship.js";
import { Table } from "./table.js";
import { markActive, pointAt, proteinsOf, showDocuments } from "./text.js";

const state = { documents: [], interactions: [], known: null, busy: false };
const dialog = new EvidenceDialog();
const table = new Table(
  (one, opener) => dialog.open(table.rows, one, opener),
  (one) => pointAt(byId("documents"), one),
);
const network = new Network(byId("network"), (one) => dialog.open(table.rows, one, byId("network").querySelector(".explorer-canvas")));

const choice = new Choice(byId);
const threshold = () => Number(byId("threshold").value);
const likely = () => state.interactions.filter((one) => one.probability >= threshold() && choice.keeps(one));
const report = (message) => { byId("status").textContent = message; };

// What was asked for is not there, and neither is what was shown before: nobody takes old results for new ones.
function failAnew(message) {
  Object.assign(state, { documents: [], interactions: [] });
  byId("results").hidden = true;
  fail(message);
}

function fail(message) {
  report("");
  byId("error").textContent = message;
  byId("error").hidden = false;
}

async function annotate(request, what) {
  if (state.busy) return;
  state.busy = true;
  byId("error").hidden = true;
  byId("annotate").setAttribute("aria-disabled", "true");
  report(`Reading ${what}…`);
  try {
    showResults(await request(report));
  } catch (error) {
    failAnew(error.message);
  } finally {
    state.busy = false;
    byId("annotate").removeAttribute("aria-disabled");
  }
}

function showResults(answer) {
  state.documents = answer.documents;
  state.interactions = answer.documents.flatMap(interactionsOf).map((one, number) => ({ ...one, number }));
  document.body.classList.toggle("one-document", answer.documents.length === 1);
  byId("warnings").replaceChildren(...answer.warnings.map((warning) => element("li", {}, warning)));
  byId("warnings").hidden = answer.warnings.length === 0;
  byId("meaning-list").replaceChildren(...answer.meaning.map((sentence) => element("li", {}, sentence)));
  byId("meaning").hidden = answer.meaning.length === 0;
  showDocuments(byId("documents"), state.documents);
  byId("results").hidden = false;
  choice.offer(state.interactions);
  network.know(state.interactions, answer.systematic_error);
  refresh();
  report("");
  byId("results-heading").focus({ preventScroll: true });
  byId("results-heading").scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
}

// What the parts of the page need of an interaction, looked up once.
function interactionsOf(one) {
  return one.interactions.map((interaction) => ({ ...withNames(interaction), source: one.source }));
}

function refresh() {
  const shown = likely();
  const value = asProbability(threshold());
  byId("threshold-value").textContent = value;
  byId("threshold").setAttribute("aria-valuetext", `at least ${value}`);
  table.show(shown);
  markActive(byId("documents"), shown);
  network.show(shown);
  const names = state.documents.flatMap((one) => one.sentences.flatMap(proteinsOf)).length;
  byId("summary").textContent = `${shown.length.toLocaleString("en")} of ${counted(state.interactions.length, "pair", "pairs")}, `
    + `${counted(names, "protein name", "protein names")}, ${counted(state.documents.length, "document", "documents")}`;
  showEmpty(shown.length, names);
}

// What a reader can do where there is nothing to see.
function showEmpty(shown, names) {
  byId("empty").hidden = shown > 0;
  byId("network-card").hidden = byId("download-card").hidden = state.interactions.length === 0;
  const [what, cure] = state.interactions.length
    ? ["No pair is that probable, or of a type that is shown.", "Move the slider to the left to see more."]
    : names
      ? ["No sentence names two different proteins.", "Pairs are looked for within sentences; try a longer text."]
      : ["No protein names were found in this text.", "It should be English, and about proteins or genes; in a file, names can be given."];
  byId("empty").replaceChildren(element("strong", {}, what), " ", cure);
}

async function download(format, ending, button) {
  if (state.busy) return;
  state.busy = true;
  button.setAttribute("aria-disabled", "true");
  report(`Preparing ${format}…`);
  try {
    const sources = state.documents.map((one) => one.source);
    const choices = { min_probability: threshold(), explain: byId("explain").checked, ...choice.request() };
    const blob = await exported(sources, format, choices, report);
    saveAs(blob, `interactions${ending}`);
    report(`interactions${ending} is ready.`);
  } catch (error) {
    fail(error.message);
  } finally {
    state.busy = false;
    button.removeAttribute("aria-disabled");
  }
}

async function showFormats() {
  state.known = await formats();
  byId("format").append(...state.known.input.map((each) => element("option", { value: each.name }, each.description)));
  byId("downloads").replaceChildren(...state.known.output.map((each) => {
    const button = element("button", { type: "button", "data-format": each.name }, each.name);
    button.addEventListener("click", () => download(each.name, each.ending, button));
    return element("li", {}, button, element("span", { class: "hint" }, each.description.replaceAll("`", "")));
  }));
}

const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("text").value;
  if (text.trim()) annotate((busy) => annotateText(text, busy), "the text");
  else failAnew("Paste some text first, or try the example.");
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("form").requestSubmit();
});
byId("example").addEventListener("click", () => {
  byId("text").value = EXAMPLE;
  byId("form").requestSubmit();
});
byId("file").addEventListener("change", () => {
  const file = byId("file").files[0];
  if (!file) return;
  const most = state.known?.limits.body_bytes;
  if (most && file.size > most) failAnew(`${file.name} has ${counted(file.size, "byte", "bytes")}; the server takes ${most.toLocaleString("en")}.`);
  else annotate((busy) => annotateFile(file, byId("format").value, busy), file.name);
});
// The file's name stays; choosing the same file again, which is no change, asks again all the same.
byId("file").addEventListener("click", () => { byId("file").value = ""; });
byId("format").addEventListener("change", () => {
  if (byId("file").files[0]) byId("file").dispatchEvent(new Event("change"));
});
byId("threshold").addEventListener("input", refresh);
choice.onChange(refresh);
byId("documents").addEventListener("more", () => markActive(byId("documents"), likely()));
showFormats().catch((error) => fail(error.message));
