// What a seat's page knows of its table, folded from the stream's messages. Pure.

export const EMPTY = {
  lobby: null, document: null, frames: [], asks: [], clock: null, card: null, taken: false, survey: null, ending: null,
  closed: null, next: null, nudged: null, ahead: 0, notes: "",
};

const MESSAGES = {
  hello: (room, { document, lobby, asks, notes }) => ({
    ...EMPTY, ahead: room.ahead, document: document ?? null, frames: document?.frames ?? [], lobby, asks: asks ?? [],
    taken: Boolean(lobby?.you?.taken), notes: notes ?? "",
  }),
  frame: (room, { frame }) => (room.frames.length && room.frames.at(-1).n >= frame.n ? room : { ...room, card: null, clock: null, frames: [...room.frames, frame] }),
  ask: (room, { ask }) => ({ ...room, asks: [...room.asks.filter((each) => each.request !== ask.request), ask] }),
  unask: (room, { request }) => ({ ...room, asks: room.asks.filter((each) => each.request !== request) }),
  lobby: (room, { lobby }) => ({ ...room, lobby }),
  clock: (room, { ends_at, kind, seats }) => ({ ...room, clock: { ends_at, kind, seats } }),
  card: (room, { ends_at }) => ({ ...room, card: { ends_at } }),
  seen: (room) => ({ ...room, card: null }),
  taken: (room, { taken }) => ({ ...room, taken, card: taken ? null : room.card }),
  notes: (room, { text }) => ({ ...room, notes: text }),
  nudge: (room, { request }) => ({ ...room, nudged: request }),
  survey: (room, { seats, ends_at }) => ({ ...room, survey: { seats, ends_at }, asks: [], clock: null }),
  surveyed: (room) => ({ ...room, survey: null }),
  end: (room, { document, table }) => ({ ...room, ending: { document, table }, asks: [], survey: null, clock: null }),
  closed: (room, { why }) => ({ ...room, closed: why }),
  replaced: (room) => ({ ...room, closed: "replaced" }),
  rematch: (room, { table, token }) => ({ ...room, next: { table, token } }),
  date: (room, { now }, here) => ({ ...room, ahead: Math.abs(now - here) < 3000 ? 0 : now - here || 0 }),
};

/** The room after one more message; `here` is this device's clock. Unknown messages change nothing. */
export function heard(room, message, here = Date.now()) {
  const change = MESSAGES[message.type];
  return change ? change(room, message, here) : room;
}

/** Seconds until a deadline by the server's clock; null where there is none. */
export function left(ask, ahead, here) {
  return ask.ends_at ? Math.max(0, Math.ceil((ask.ends_at - (here + ahead)) / 1000)) : null;
}

/** The answer to a request as the server takes it. */
export function answerOf(ask, { chosen, text, claims, raised }, pass) {
  const body = { request: ask.request };
  if (pass) return { ...body, pass: true };
  if (ask.kind === "hand") return { ...body, raise: raised };
  if (ask.kind === "demand") return { ...body, targets: chosen };
  if (needsSeat(ask)) body.target = chosen[0] ?? null;
  if (ask.text_limit) body.text = text;
  if (worded(ask) && claims.length) body.claims = claims;
  return body;
}

export function worded({ kind }) {
  return kind === "speech" || kind === "speech_and_vote" || kind === "last_words";
}

export function needsSeat({ kind }) {
  return !["speech", "last_words", "hand", "demand"].includes(kind);
}

/** How many characters a text counts for the server: whole code points. */
export function length(text) {
  return [...text].length;
}
