// Words of the game that explain themselves where they stand.

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { useWords } from "./words.js";

export const TERMS = ["pass", "claim", "counter", "check", "clear", "guilty", "call", "pk", "words", "peace", "carry", "needle", "silence"];
const EDGE = 8;
const finders = new Map();
let drawn = 0;

/** What finds the terms in a text of one language, and which term each word is; the longest word is found first. */
function finderOf({ lang, say }) {
  const kept = finders.get(lang);
  if (kept) return kept;
  const named = new Map(TERMS.flatMap((name) => say(`mark.${name}`).split("|").map((word) => [word.toLowerCase(), name])));
  const longest = [...named.keys()].sort((one, other) => other.length - one.length).join("|");
  const found = { named, words: lang === "en" ? new RegExp(`(?<!\\p{L})(?:${longest})(?!\\p{L})`, "giu") : new RegExp(longest, "giu") };
  finders.set(lang, found);
  return found;
}

/** A text in which each term explains itself, where it stands first. */
export function Termed({ text }) {
  const words = useWords();
  const { named, words: find } = finderOf(words);
  const parts = [];
  const told = new Set();
  let end = 0;
  for (const { 0: word, index } of text.matchAll(find)) {
    const name = named.get(word.toLowerCase());
    if (!name || told.has(name)) continue;
    told.add(name);
    parts.push(text.slice(end, index), html`<${Term} key=${name} name=${name} word=${word} />`);
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
}

/** A word with its explanation, which lies over the page while the word is pointed at, tapped or reached by key. */
function Term({ name, word }) {
  const { say } = useWords();
  const [open, setOpen] = useState(false);
  const own = useRef(null);
  const tip = useRef(null);
  const [id] = useState(() => `tip-${drawn++}`);
  useLayoutEffect(() => {
    if (!open) return undefined;
    tip.current.showPopover?.();
    const shut = () => setOpen(false);
    const follow = () => {
      const word = own.current?.getClientRects()[0];
      if (!word || word.bottom < 0 || word.top > innerHeight) shut();
      else put(tip.current, word);
    };
    follow();
    const elsewhere = ({ target }) => own.current?.contains(target) || shut();
    addEventListener("scroll", follow, true);
    addEventListener("resize", follow);
    document.addEventListener("pointerdown", elsewhere);
    return () => {
      removeEventListener("scroll", follow, true);
      removeEventListener("resize", follow);
      document.removeEventListener("pointerdown", elsewhere);
    };
  }, [open]);
  const point = (pointed) => ({ pointerType }) => pointerType === "mouse" && setOpen(pointed);
  const key = (event) => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    setOpen(false);
  };
  return html`<dfn class="term" tabindex="0" ref=${own} aria-describedby=${open ? id : undefined} onPointerEnter=${point(true)} onPointerLeave=${point(false)}
    onFocus=${() => setOpen(true)} onBlur=${() => setOpen(false)} onClick=${() => setOpen(true)} onKeyDown=${key}>${word}${open && html`<span class="tip" role="tooltip" popover="manual" id=${id} ref=${tip}>${say(`term.${name}`)}</span>`}</dfn>`;
}

/** Lay a tip under its word, or over it where there is no room. */
function put(tip, word) {
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.max(EDGE, Math.min(word.left, innerWidth - width - EDGE));
  const under = word.bottom + EDGE / 2;
  tip.style.left = `${left}px`;
  tip.style.top = `${under + height > innerHeight ? Math.max(EDGE, word.top - height - EDGE / 2) : under}px`;
}
