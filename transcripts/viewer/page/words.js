// The page's words in both languages, and the language that is being read.

import { createContext, useContext } from "./vendor/htm-preact.js";

const Tongue = createContext(null);
export const Speaking = Tongue.Provider;

/** The words in the reader's language, from anywhere on the page. */
export function useWords() {
  return useContext(Tongue);
}

/** How things are said in one language: `say.lang`, and texts by name with their slots filled. */
export function tongue(texts, lang) {
  const own = texts[lang];
  function say(key, slots = {}) {
    const text = own[key];
    if (text === undefined) throw new Error(`no words for ${key}`);
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in slots ? String(slots[name]) : whole));
  }
  const has = (key) => own[key] !== undefined;
  const seat = (number) => say("judge.write.seat", { n: number });
  const seats = (numbers) => numbers.map(seat).join(say("judge.write.comma"));
  const listed = (items) => items.join(say("judge.write.comma"));
  /** The word of that name in a group; another arena's name stands for itself. */
  const named = (group, name, slots) => (has(`${group}.${name}`) ? say(`${group}.${name}`, slots) : name);
  const role = (name) => named("role", name);
  return { lang, say, has, named, seat, seats, listed, role, claim: (claim) => claimed(say, seat, named, claim) };
}

/** A typed claim in the judge's fixed words. */
function claimed(say, seat, named, { kind, seat: about, what, night, by, card }) {
  if (kind === "role" && what === "not_killer" && about === by) return say("judge.claim.clear_own");
  const said = kind === "deny" && what === "none";
  const own = ["role", "clear", "deny", "retract"].includes(kind) && about === by && !said;
  const foreign = kind === "role" && what === "none";
  return say(`judge.claim.${kind}${own ? "_own" : said ? "_said" : ""}`, {
    seat: seat(about),
    what: card ? named("is", card) : say(`judge.claimed.${foreign ? "other" : what}`),
    when: night ? say("judge.claim.when", { night }) : "",
  });
}

/** The judge's words for a frame; those that were told to some alone say to whom. */
export function told(frame, { lang, say, seats }) {
  const text = frame.said?.[lang] ?? "";
  if (!text || !Array.isArray(frame.audience)) return text;
  return frame.audience.length ? say("record.to", { text, seats: seats(frame.audience) }) : say("record.judge", { text });
}
