// The way to the server: every call and the stream carry the token of the link's fragment, which no address holds.

import { read } from "./harmless.js";

const LONGEST_WAIT = 10_000;
const STALE = 45_000;

/** A refusal by name: `code` is the server's. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message || code);
    this.status = status;
    this.code = code;
  }
}

/** The token in the fragment; empty where the link has none. */
export function token() {
  const text = location.hash.slice(1);
  return /^[\w.~-]{8,}$/.test(text) ? text : "";
}

function headers(more = {}, held = token()) {
  return held ? { ...more, Authorization: `Bearer ${held}` } : more;
}

async function opened(response) {
  if (response.ok) return response;
  let told = {};
  try {
    told = await response.json();
  } catch {
    // no words of the server's own
  }
  throw new Refused(response.status, told.error ?? "refused", told.detail);
}

export async function ask(path) {
  return read(await (await opened(await fetch(path, { headers: headers(), cache: "no-store" }))).text());
}

/** Send something, by the token of this page's link or by another one that is held. */
export async function send(path, body = {}, by = token()) {
  const response = await fetch(path, { method: "POST", headers: headers({ "Content-Type": "application/json" }, by), body: JSON.stringify(body) });
  const text = await (await opened(response)).text();
  return text ? read(text) : {};
}

/** The events of a text stream, as they come: the parsed data of each. */
export async function* eventsOf(chunks) {
  let held = "";
  for await (const chunk of chunks) {
    held += chunk;
    const parts = held.replace(/\r\n?/g, "\n").split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, "")).join("\n");
      if (data) yield read(data);
    }
  }
}

async function* chunksOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** After these nothing more comes, and nothing more is asked for. */
const LAST = new Set(["closed", "replaced"]);

/** This browser's own name at tables, so that whoever comes back gets the same seat; drawn once and kept here. */
export function client() {
  try {
    const kept = localStorage.getItem("tianhei.client");
    if (kept) return kept;
    const drawn = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("tianhei.client", drawn);
    return drawn;
  } catch {
    return "";
  }
}

/** Take a seat by its own token and be ready; where the host's token is held, too, the game begins with bots in what is empty. */
export async function sitDown(table, seat, lang, host = "") {
  const post = (what, body, by) => send(`/api/tables/${table}/${what}`, body, by);
  await post("join", { lang, consent: true, client: client() }, seat);
  await post("ready", {}, seat);
  if (host) await post("host/start", { fill: true }, host);
}

/** Whoever opened a table and plays at it keeps the host's token in this window, and nowhere else. */
export function holdHost(table, host) {
  try {
    sessionStorage.setItem(`tianhei.host.${table}`, host);
  } catch {
    // the host's link is all there is
  }
}

export function heldHost(table) {
  try {
    return sessionStorage.getItem(`tianhei.host.${table}`) ?? "";
  } catch {
    return "";
  }
}

/** Follow a stream until it is closed; it is taken up again whenever it breaks, and when the screen wakes. */
export function follow(path, { message, trouble, date }) {
  let closed = false;
  let current = null;
  let heard = Date.now();
  let wake = () => {};
  const run = async () => {
    for (let wait = 500; !closed; wait = Math.min(LONGEST_WAIT, wait * 2)) {
      current = new AbortController();
      try {
        const response = await opened(await fetch(path, { headers: headers({ Accept: "text/event-stream" }), signal: current.signal, cache: "no-store" }));
        trouble(null);
        date(Date.parse(response.headers.get("date") ?? ""));
        for await (const event of eventsOf(chunksOf(response.body))) {
          heard = Date.now();
          wait = 500;
          message(event);
          if (LAST.has(event.type)) {
            closed = true;
            break;
          }
        }
      } catch (error) {
        if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429) {
          trouble(error);
          return;
        }
      }
      if (closed) return;
      trouble("away");
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, wait);
      });
    }
  };
  const look = () => {
    if (document.visibilityState !== "visible") return;
    if (Date.now() - heard > STALE) current?.abort();
    wake();
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  run();
  return () => {
    closed = true;
    current?.abort();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", look);
  };
}
