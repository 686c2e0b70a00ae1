// Requests to the server; a busy server is asked again a few times before giving up.

const ATTEMPTS = 6;

// What requests of curation carry: the token, where the server wants one.
export const curationHeaders = {};

export class ApiError extends Error {}

// Everything is asked for; what a sentence denies or only supposes is then shown if the reader wants it.
const EVERYTHING = { include_negated: true, include_hedged: true };

export async function annotateText(text, report) {
  return (await send("/api/annotate", json({ text, ...EVERYTHING }), report)).json();
}

export async function annotateFile(file, format, report) {
  const form = new FormData();
  form.append("file", file);
  form.append("format", format);
  for (const name of Object.keys(EVERYTHING)) form.append(name, "true");
  return (await send("/api/annotate/file", { body: form }, report)).json();
}

export async function evidenceOf(document, interaction, report) {
  // A little less than its probability, so that rounding on the way never hides the pair itself.
  const min_probability = Math.max(0, interaction.probability - 1e-6);
  const request = { document, pair: interaction.pair, min_probability };
  return (await send("/api/evidence", json(request), report)).json();
}

export async function exported(documents, format, choices, report) {
  const request = { documents, ...choices };
  const answer = await send(`/api/export?format=${encodeURIComponent(format)}`, json(request), report);
  return answer.blob();
}

export async function formats() {
  return (await asked("/api/formats")).json();
}

// What only looks something up; values that are empty are left out of the address.
export async function asked(path, values = {}, report = () => {}) {
  const query = queryOf(values);
  return send(query ? `${path}?${query}` : path, { method: "GET" }, report);
}

export function queryOf(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== "" && each !== false) query.append(name, each);
    }
  }
  return query.toString();
}

export async function sent(path, content, report) {
  return (await send(path, json(content), report)).json();
}

// As a file that the browser keeps under this name.
export function saveAs(blob, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const json = (content) => ({ body: JSON.stringify(content), headers: { "Content-Type": "application/json" } });

async function send(address, options, report = () => {}) {
  for (let attempt = 1; ; attempt += 1) {
    let answer;
    try {
      const headers = { ...options.headers, ...(address.startsWith("/api/curation") ? curationHeaders : {}) };
      answer = await fetch(address, { method: "POST", ...options, headers });
    } catch {
      throw new ApiError("The server did not answer. Is it still running?");
    }
    if (answer.ok) return answer;
    if (answer.status !== 503 || attempt === ATTEMPTS) throw await problem(answer);
    report("The server is busy; trying again…");
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((resume) => setTimeout(resume, 1000 * seconds * (0.5 + Math.random())));
  }
}

async function problem(answer) {
  try {
    return new ApiError((await answer.json()).detail);
  } catch {
    return new ApiError(`The server answered ${answer.status}.`);
  }
}
