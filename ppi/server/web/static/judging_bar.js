// Who judges, the token where one is needed, how much was judged, undo and files.

import { asked, curationHeaders, saveAs } from "./api.js";
import { byId, counted, element } from "./dom.js";

const NAME = "ppi-curator", TOKEN = "ppi-curation-token";
const kept = (storage, name) => { try { return storage.getItem(name) || ""; } catch { return ""; } };
const keep = (storage, name, value) => { try { storage.setItem(name, value); } catch { /* a browser that keeps nothing */ } };

// Before anything is asked: what was typed on another page of this window.
if (kept(sessionStorage, TOKEN)) curationHeaders["X-Curation-Token"] = kept(sessionStorage, TOKEN);

export class JudgingBar {
  // undo(): takes the last judgement back; renamed(): another curator judges now.
  constructor({ undo, renamed }) {
    byId("curator").value = kept(localStorage, NAME);
    byId("curator").addEventListener("change", () => {
      keep(localStorage, NAME, this.curator);
      renamed();
    });
    byId("token").value = kept(sessionStorage, TOKEN);
    byId("token").addEventListener("change", () => {
      keep(sessionStorage, TOKEN, byId("token").value.trim());
      location.reload();
    });
    byId("undo").addEventListener("click", undo);
    byId("save-judgements").addEventListener("click", () => this.save());
  }

  get curator() {
    return byId("curator").value.trim();
  }

  // Whether there is somebody to judge; if not, they are asked who they are.
  named() {
    if (this.curator) return true;
    this.fail("Say who you are first: a name or initials.");
    byId("curator").focus();
    return false;
  }

  show(status) {
    this.formats = new Map(status.formats.map((format) => [format.name, format]));
    byId("token-field").hidden = !status.needs_token;
    byId("judgement-format").replaceChildren(...status.formats.map((format) => element("option", { value: format.name }, format.description)));
    this.count(status.rows);
    if (status.torn_lines.length) this.fail(`A crash cut short line ${status.torn_lines.join(", ")} of the judgements; it is passed over.`);
    byId("curation").hidden = byId("curate-link").hidden = false;
  }

  count(rows) {
    byId("judged-count").textContent = `${counted(rows, "row", "rows")} judged`;
  }

  report(message) {
    byId("curation-error").hidden = true;
    byId("curation-status").textContent = message;
  }

  fail(message) {
    byId("curation-status").textContent = "";
    byId("curation-error").textContent = message;
    byId("curation-error").hidden = false;
  }

  async save() {
    const format = this.formats.get(byId("judgement-format").value);
    this.report(`Preparing ${format.name}…`);
    try {
      const answer = await asked("/api/curation/export", { format: format.name });
      saveAs(await answer.blob(), `judgements${format.ending}`);
      this.report(`judgements${format.ending} is ready.`);
    } catch (error) {
      this.fail(error.message);
    }
  }
}
