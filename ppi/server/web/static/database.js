// The pages of a run's database: search, a protein, a pair.  Their addresses hold everything, so that they can be kept and sent.

import { asked, formats, sent } from "./api.js";
import { curatePage } from "./database_curate.js";
import { pairPage } from "./database_pair.js";
import { proteinPage } from "./database_protein.js";
import { fillForm, listenToForm, searchPage } from "./database_search.js";
import { showDownloads } from "./database_downloads.js";
import { byId, counted, element } from "./dom.js";
import { EvidenceDialog } from "./evidence.js";
import { judgeRows } from "./judging.js";

const PAGES = { "/database": searchPage, "/database/protein": proteinPage, "/database/pair": pairPage, "/database/curate": curatePage };

const report = (message) => { byId("status").textContent = message; };
const dialog = new EvidenceDialog((one, told) => sent("/api/database/evidence", { document: one.document, pair: one.pair }, told));

// What every page needs: the address's values, where messages go, and what opens the evidence of one of a list.
const context = {
  values: new URLSearchParams(location.search),
  report,
  open: (list, one, opener) => dialog.open(list, one, opener),
};

async function start() {
  fillForm(context.values);
  listenToForm(report);
  report("Looking…");
  try {
    const show = PAGES[location.pathname.replace(/\/+$/, "")] || searchPage;
    const page = await show(context);
    byId("content").replaceChildren(...page.parts);
    page.shown?.();
    document.title = `${page.title} – ppi-miner`;
    report("");
    showDownloads(page.download, await formats(), report, fail);
  } catch (error) {
    byId("content").replaceChildren(element("h1", { id: "heading", class: "visually-hidden", tabindex: "-1" }, "Nothing was found"));
    fail(error.message);
  }
  judgeRows([...document.querySelectorAll("[data-pair]")]); // also where there are none: a token may be wanted first
  describeRun();
}

function fail(message) {
  report("");
  byId("error").textContent = message;
  byId("error").hidden = false;
}

async function describeRun() {
  try {
    const run = await (await asked("/api/database")).json();
    byId("run").textContent = `${run.name}: ${counted(run.interactions, "interaction", "interactions")} of `
      + `${counted(run.proteins, "protein", "proteins")} in ${counted(run.papers, "document", "documents")}`
      + (run.problem ? `. ${run.problem}` : "");
  } catch (error) {
    fail(error.message);
  }
}

start();
