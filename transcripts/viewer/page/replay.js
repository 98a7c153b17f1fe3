// A recorded game: the table at any moment, a time line, other eyes, the truth where one asks for it.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { folded, sees } from "./fold.js";
import { Guesses, guessed } from "./guesses.js";
import { Icon } from "./icons.js";
import { Claims, OwnCard, Rules, Seats, Tabs, Votes } from "./panels.js";
import { Record } from "./record.js";
import { Review } from "./review.js";
import { Table } from "./table.js";
import { useWords } from "./words.js";

const SPEEDS = [1, 2, 4];

/** What a link's fragment says: `#e=123&eyes=3`. */
export function linked(fragment) {
  const asked = new URLSearchParams(fragment.replace(/^#/, ""));
  const eyes = asked.get("eyes");
  const event = Number.parseInt(asked.get("e") ?? "", 10);
  return { eyes: eyes && /^\d+$/.test(eyes) ? Number(eyes) : eyes, event: Number.isNaN(event) ? null : event };
}

function usable(document, eyes) {
  if (document.eyes !== "truth") return document.eyes;
  const seats = document.game.seats.map((each) => each.seat);
  return eyes === "truth" || seats.includes(eyes) ? eyes : "public";
}

/** `chances` are those of the game, if it is over: null where there are none, `"pending"` until they are there; `guesses` what the table kept of what people held. */
export function Replay({ document, blind, menu, start, kept, guesses, chances = document.chances ?? null }) {
  const words = useWords();
  const { say } = words;
  const whole = document.eyes === "truth";
  const asked = useMemo(() => start ?? linked(kept ? "" : location.hash), []);
  const [eyes, setEyes] = useState(usable(document, asked.eyes));
  const frames = useMemo(() => document.frames.filter((frame) => sees(eyes, frame)), [document, eyes]);
  const [at, setAt] = useState(asked.event ?? frames[0]?.n ?? 0);
  const [furthest, setFurthest] = useState(at);
  const [tab, setTab] = useState(start?.tab ?? "record");
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const place = Math.max(0, frames.findLastIndex((frame) => frame.n <= at));
  const open = eyes === "truth";
  const state = useMemo(() => folded(document.game, frames, eyes, at), [document, frames, eyes, at]);
  const go = (number) => {
    setAt(number);
    setFurthest((before) => Math.max(before, number));
  };
  const step = (by) => go(frames[Math.min(frames.length - 1, Math.max(0, place + by))]?.n ?? 0);
  const shown = open ? frames : frames.filter((frame) => frame.n <= furthest);
  const thoughts = useMemo(() => (open ? thoughtsOf(document) : null), [document, open]);
  const look = (next) => {
    setEyes(next);
  };

  useEffect(() => {
    if (!kept) history.replaceState(null, "", `#e=${at}&eyes=${eyes}`);
  }, [at, eyes]);
  useEffect(() => {
    if (kept) return undefined;  // the fragment holds the token
    const follow = () => {
      const { eyes: next, event } = linked(location.hash);
      if (next) setEyes(usable(document, next));
      if (event !== null) go(event);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [document]);
  useEffect(() => {
    if (!playing) return undefined;
    if (place >= frames.length - 1) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => step(1), readingTime(frames[place]) / speed);
    return () => clearTimeout(timer);
  }, [playing, place, speed, frames]);
  useKeys({ step, go, frames, place, play: () => setPlaying((before) => !before), truth: () => whole && look(open ? "public" : "truth") });

  const tabs = [
    ["record", html`<${Record} frames=${shown} now=${frames[place]?.n} go=${go} thoughts=${thoughts} />`],
    ...(open && chances ? [["review", html`<${Review} chances=${chances} state=${state} at=${at} go=${go} />`]] : []),
    ...(open && guessed(guesses) ? [["guesses", html`<${Guesses} kept=${guesses} />`]] : []),
    ["votes", html`<${Votes} state=${state} go=${go} />`],
    ["claims", html`<${Claims} state=${state} go=${go} verdicts=${open ? verdicts(document) : null} read=${readUpTo(document, at)} />`],
    ...(typeof eyes === "number" ? [["card", html`<${OwnCard} state=${state} />`]] : []),
    ["seats", html`<${Seats} state=${state} blind=${blind} />`],
    ["rules", html`<${Rules} game=${document.game} />`],
  ];
  const side = tabs.some(([name]) => name === tab) ? tab : "record";
  const talked = side === "review" || side === "guesses" || frames.some(({ n, kind }) => n <= at && (kind === "speech" || kind === "last_words"));
  return html`<div class=${`app replay tab-${side} ${talked ? "talked" : ""}`}>
    <header class="bar">
      <h1>${say(`game.${document.game.game}`)}</h1>
      ${whole && html`<label class="eyes"><${Icon} name="eye" /><span class="unseen">${say("replay.eyes")}</span>
        <select value=${String(eyes)} onChange=${({ target }) => look(/^\d+$/.test(target.value) ? Number(target.value) : target.value)}>
          <option value="public">${say("replay.public")}</option>
          ${document.game.seats.map(({ seat }) => html`<option key=${seat} value=${seat}>${words.seat(seat)}</option>`)}
          <option value="truth">${say("replay.truth")}</option>
        </select></label>
        <button type="button" class="spoiler" aria-pressed=${open} onClick=${() => look(open ? "public" : "truth")}>${say(open ? "replay.hide" : "replay.reveal")}</button>`}
      ${!whole && html`<span class="eyes"><${Icon} name="eye" /> ${typeof eyes === "number" ? words.seat(eyes) : say("replay.public")}</span>`}
      ${menu}
    </header>
    <main>
      <${Table} state=${state} />
      <nav class="player" aria-label=${say("replay.time")}>
        <${TimeLine} frames=${frames} place=${place} furthest=${open ? Infinity : furthest} go=${go} />
        <div class="buttons">
          <${Control} icon="first" label=${say("replay.first")} act=${() => step(-Infinity)} />
          <${Control} icon="back" label=${say("replay.back")} act=${() => step(-1)} />
          <${Control} icon=${playing ? "pause" : "play"} label=${say(playing ? "replay.pause" : "replay.play")} act=${() => setPlaying(!playing)} big />
          <${Control} icon="on" label=${say("replay.on")} act=${() => step(1)} />
          <${Control} icon="last" label=${say("replay.last")} act=${() => step(Infinity)} />
          <button type="button" class="speed" onClick=${() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length])} aria-label=${say("replay.speed", { speed })}>${speed}×</button>
          <span class="count">${place + 1} / ${frames.length}</span>
          ${!kept && html`<${Link} />`}
        </div>
      </nav>
    </main>
    <${Tabs} tabs=${tabs} chosen=${side} choose=${setTab} label=${say("replay.side")} />
    <p class="unseen" aria-live="polite">${aloud(frames[place], words)}</p>
  </div>`;
}

function Control({ icon, label, act, big }) {
  return html`<button type="button" class=${`control ${big ? "big" : ""}`} onClick=${act} aria-label=${label} title=${label}><${Icon} name=${icon} /></button>`;
}

function Link() {
  const { say } = useWords();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      prompt(say("replay.link"), location.href);
    }
  };
  return html`<button type="button" class="control" onClick=${copy} title=${say("replay.link")} aria-label=${say("replay.link")}><${Icon} name="link" />${done && html`<small role="status">${say("replay.copied")}</small>`}</button>`;
}

/** How long a frame is shown when the replay runs by itself: as long as it takes to read. */
export function readingTime({ kind, text, said }) {
  const words = text ?? said?.en ?? "";
  if (kind === "called" || kind === "hand") return 1200;
  return Math.min(12000, 1500 + 35 * words.length);
}

/** What a screen reader says of a frame. */
export function aloud(frame, words) {
  if (!frame) return "";
  if (!frame.by || frame.text === undefined) return words.lang && (frame.said?.[words.lang] ?? "");
  return `${words.seat(frame.by)}: ${frame.text || words.say("said.pass")}`;
}

function thoughtsOf({ frames, truth }) {
  const bySeat = new Map();
  for (const reply of truth.replies) bySeat.set(reply.seat, [...(bySeat.get(reply.seat) ?? []), reply]);
  const votes = new Set(["ballots", "dawn", "resolved"]);
  return (frame) => {
    if (frame.kind === "resolved") return truth.replies.filter((each) => each.request.startsWith(`n${frame.day}.`) && worthTelling(each));
    if (votes.has(frame.kind)) return truth.replies.filter((each) => each.n === frame.n && worthTelling(each));
    if (frame.kind !== "speech" && frame.kind !== "last_words") return [];
    const reply = bySeat.get(frame.by)?.findLast((each) => each.n <= frame.n);
    return reply && worthTelling(reply) ? [reply] : [];
  };
}

function worthTelling({ thought, reasoning, source }) {
  return Boolean(thought || reasoning || source.startsWith("fallback") || source.startsWith("bot:"));
}

function verdicts({ truth }) {
  const known = new Map((truth.claims ?? []).map((each) => [`${each.n}/${each.kind}/${each.seat}/${each.what}/${each.night}`, each.truth]));
  return ({ n, kind, seat, what, night }) => known.get(`${n}/${kind}/${seat}/${what}/${night}`);
}

/** Claims that nobody declared, and that were read from the words of a game that is over. */
function readUpTo({ truth }, at) {
  return (truth?.claims ?? []).filter(({ n, read }) => read !== undefined && n <= at);
}

const MARKS = { dawn: "death", voted_out: "out", ballots: "vote", over: "over" };

/** The game from left to right: nights shaded, deaths, votes and claims marked; what lies ahead is not told. */
function TimeLine({ frames, place, furthest, go }) {
  const { say } = useWords();
  const last = Math.max(1, frames.length - 1);
  const nights = useMemo(() => spans(frames, last, furthest), [frames, furthest]);
  const marks = frames.map((frame, index) => ({ frame, index, mark: markOf(frame) })).filter(({ mark, frame }) => mark && frame.n <= furthest);
  const frame = frames[place];
  return html`<div class="timeline">
    <div class="track" aria-hidden="true">
      ${nights.map(({ from, to, day }) => html`<span key=${from} class="span" style=${{ left: `${from}%`, width: `${to - from}%` }}><i>${day}</i></span>`)}
      ${marks.map(({ index, mark }) => html`<span key=${index} class=${`mark ${mark}`} style=${{ left: `${(100 * index) / last}%` }}></span>`)}
    </div>
    <input type="range" min="0" max=${last} value=${place} aria-label=${say("replay.time")} onInput=${({ target }) => go(frames[Number(target.value)]?.n ?? 0)}
      aria-valuetext=${frame ? say(frame.phase === "night" ? "now.night" : "now.day", { day: frame.day }) : ""} />
  </div>`;
}

function markOf(frame) {
  if (frame.kind === "dawn") return frame.dead.length ? "death" : null;
  if (frame.claims?.some(({ kind }) => kind === "role" || kind === "check")) return "claim";
  return MARKS[frame.kind] ?? null;
}

function spans(frames, last, furthest) {
  const found = [];
  let from = null;
  frames.forEach((frame, index) => {
    if (frame.n > furthest) return;
    if (frame.kind === "called" && frame.stage === "night") from = index;
    if (frame.kind === "dawn" && from !== null) {
      found.push({ from: (100 * from) / last, to: (100 * index) / last, day: frame.day });
      from = null;
    }
  });
  return found;
}

/** Arrows step, space plays, Home and End go to the ends, Page keys to the next day, t shows the truth, / searches. */
function useKeys(acts) {
  const now = useRef(acts);
  now.current = acts;
  useLayoutEffect(() => {
    const press = (event) => {
      if (event.target.closest?.("input, select, textarea, [role=tablist]") || event.ctrlKey || event.metaKey || event.altKey) return;
      const { step, go, frames, place, play, truth } = now.current;
      const day = (by) => {
        const starts = frames.filter((frame) => frame.kind === "called" && frame.stage === "night").map((frame) => frame.n);
        const here = frames[place]?.n ?? 0;
        const next = by > 0 ? starts.find((n) => n > here) : starts.findLast((n) => n < here);
        if (next !== undefined) go(next);
      };
      const keys = {
        ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => step(-Infinity), End: () => step(Infinity),
        PageDown: () => day(1), PageUp: () => day(-1), t: truth, "/": () => document.getElementById("search")?.focus(),
        " ": () => event.target.closest?.("button") === null && play(),
      };
      const act = keys[event.key];
      if (!act || (event.key === " " && event.target.closest?.("button"))) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
