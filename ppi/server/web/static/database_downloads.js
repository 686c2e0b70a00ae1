// What a page shows, in every format.

import { asked, saveAs } from "./api.js";
import { byId, element } from "./dom.js";

export function showDownloads(download, formats, report, fail) {
  byId("download-card").hidden = !download;
  if (!download) return;
  byId("download-what").textContent = download.what;
  byId("downloads").replaceChildren(...formats.output.map((format) => {
    const button = element("button", { type: "button", "data-format": format.name }, format.name);
    button.addEventListener("click", () => save(download.wanted, format, button, report, fail));
    return element("li", {}, button, element("span", { class: "hint" }, format.description.replaceAll("`", "")));
  }));
}

async function save(wanted, format, button, report, fail) {
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  report(`Preparing ${format.name}…`);
  try {
    const answer = await asked("/api/database/export", { ...wanted, format: format.name }, report);
    saveAs(await answer.blob(), `interactions${format.ending}`);
    report(`interactions${format.ending} is ready.`);
  } catch (error) {
    fail(error.message);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}
