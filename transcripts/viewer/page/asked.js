// What is asked of this seat: the question, the clock, large buttons, words.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { answerOf, left, length, needsSeat, worded } from "./room.js";
import { Badge } from "./table.js";
import { Termed } from "./terms.js";
import { useWords } from "./words.js";

/** The state of an answer that is being made; the table's seats share it with the panel. */
export function useAnswer(ask) {
  const [draft, setDraft] = useState({ chosen: [], text: "", claims: [], raised: false });
  useEffect(() => setDraft({ chosen: [], text: "", claims: [], raised: false }), [ask?.request]);
  const choose = (seat) => setDraft((before) => {
    const has = before.chosen.includes(seat);
    if (ask?.kind === "demand") return { ...before, chosen: has ? before.chosen.filter((each) => each !== seat) : [...before.chosen, seat] };
    return { ...before, chosen: has ? [] : [seat] };
  });
  return { draft, change: (more) => setDraft((before) => ({ ...before, ...more })), choose };
}

export function Asked({ ask, ahead, paused, nudged, answer, reply, day, night }) {
  const { say, lang, seat: seatName } = useWords();
  const { draft, change, choose } = answer;
  const [state, setState] = useState({ sending: false, error: null });
  useEffect(() => setState({ sending: false, error: null }), [ask.request]);
  const speaks = worded(ask);
  const picks = ask.options.length > 0 && ask.kind !== "hand" && ask.kind !== "speech";
  const over = ask.text_limit ? length(draft.text) - ask.text_limit : 0;
  const lacks = (needsSeat(ask) && picks && !draft.chosen.length) || (ask.kind === "demand" && draft.chosen.length < 2) || (ask.kind === "speech" && !draft.text.trim()) || (ask.kind === "last_words" && !draft.text.trim());
  const act = async (pass, more = {}) => {
    if (state.sending) return;
    setState({ sending: true, error: null });
    try {
      await reply(answerOf(ask, { ...draft, ...more }, pass));
    } catch (error) {
      setState({ sending: false, error: error.code ?? "unreachable" });
    }
  };
  const enter = (event) => {
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !composing && !lacks && over <= 0) act(false);
  };
  return html`<section class=${`ask ${nudged ? "nudged" : ""}`} aria-label=${say("ask.label")}>
    <p class="whom">${say(!night ? "ask.you" : ask.cover ? "ask.you_rest" : "ask.you_act", { seat: seatName(ask.seat) })}</p>
    <header><h2 aria-live="polite"><${Termed} text=${ask.question[lang]} /></h2><${Clock} ask=${ask} ahead=${ahead} paused=${paused} /></header>
    ${speaks && html`<${Starters} ask=${ask} draft=${draft} change=${change} day=${day} />`}
    ${ask.text_limit > 0 && html`<label class="text"><span class="unseen">${say(speaks ? "ask.words" : "ask.aside")}</span>
      <textarea rows=${speaks ? 4 : 2} dir="auto" value=${draft.text} placeholder=${say(speaks ? "ask.words" : "ask.aside")} onInput=${({ target }) => change({ text: target.value })} onKeyDown=${enter}></textarea>
      <output class=${over > 0 ? "over" : ""}>${length(draft.text)} / ${ask.text_limit}</output></label>`}
    ${picks && html`<div class="choices" role="group" aria-label=${say("ask.seats")}>${ask.options.map((seat) => html`<button type="button" key=${seat} class="choice" aria-pressed=${draft.chosen.includes(seat)} onClick=${() => choose(seat)}><${Badge} seat=${seat} /></button>`)}</div>`}
    <div class="acts">
      ${ask.kind === "hand"
        ? html`<button type="button" class="main" disabled=${state.sending} onClick=${() => act(false, { raised: true })}>${say("ask.raise")}</button>
            ${ask.may_pass && html`<button type="button" disabled=${state.sending} onClick=${() => act(false, { raised: false })}>${say("ask.lower")}</button>`}`
        : html`<button type="button" class="main" disabled=${state.sending || lacks || over > 0} onClick=${() => act(false)}>${say(speaks ? "ask.speak" : "ask.confirm")}</button>
            ${ask.may_pass && html`<button type="button" disabled=${state.sending} onClick=${() => act(true)}>${say(passKey(ask))}</button>`}`}
    </div>
    ${state.error && html`<p class="error" role="alert">${said(say, state.error)}</p>`}
  </section>`;
}

function passKey({ kind }) {
  if (kind === "vote" || kind === "speech_and_vote") return "ask.abstain";
  return kind === "speech" || kind === "last_words" ? "ask.pass" : "ask.nobody";
}

/** The server's refusals in words; one that has none is told as it is. */
export function said(say, code) {
  try {
    return say(`error.${code}`);
  } catch {
    return say("error.refused", { code });
  }
}

/** The time that is left; a screen reader hears of it twice. */
export function Clock({ ask, ahead, paused }) {
  const { say } = useWords();
  const [here, setHere] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setHere(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  if (paused) return html`<span class="clock">${say("ask.paused")}</span>`;
  const seconds = left(ask, ahead, here);
  if (seconds === null) return null;
  return html`<span class=${`clock ${seconds <= 10 ? "late" : ""}`} role="timer"><${Icon} name="clock" /> ${clockText(seconds, say)}</span>
    <span class="unseen" aria-live="assertive">${seconds === 30 || seconds === 10 ? say("ask.left", { seconds }) : ""}</span>`;
}

export function clockText(seconds, say) {
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds < 86400) return say("ask.hours", { hours: Math.round(seconds / 3600) });
  return say("ask.days", { days: Math.round(seconds / 86400) });
}

/** Beginnings of sentences that are typed claims: each adds its words to the speech and its label beside it. */
function Starters({ ask, draft, change, day }) {
  const { say, claim, lang, seat: seatName } = useWords();
  const [open, setOpen] = useState(null);
  useEffect(() => setOpen(null), [ask.request]);
  const add = ({ text, claim: made }, seat, night) => {
    const gap = draft.text && !/\s$/.test(draft.text) && lang === "en" ? " " : "";
    const about = { what: "none", ...made, seat: seat ?? ask.seat, night: night ?? 0 };
    change({ text: `${draft.text}${gap}${text[lang].replace("{_}", seat ? seatName(seat) : "")}`, claims: made.kind ? [...draft.claims, about] : draft.claims });
    setOpen(null);
  };
  const usable = ask.starters.filter((each) => each.claim.kind);
  const turn = (each) => (each.text[lang].includes("{_}") ? setOpen(open === each.name ? null : each.name) : add(each));
  const chosen = usable.find((each) => each.name === open);
  return html`<div class="starters"><div class="kinds">${usable.map((each) => html`<button type="button" key=${each.name} aria-expanded=${open === each.name} onClick=${() => turn(each)}>${each.text[lang].replace("{_}", "…").trim()}</button>`)}</div>
    ${chosen && html`<${About} key=${chosen.name} starter=${chosen} players=${ask.players} day=${day} add=${add} />`}
    ${draft.claims.length > 0 && html`<ul class="claims">${draft.claims.map((each, place) => html`<li key=${place}>${claim({ ...each, by: ask.seat })}
      <button type="button" class="drop" aria-label=${say("starter.drop")} onClick=${() => change({ claims: draft.claims.filter((_, index) => index !== place) })}>×</button></li>`)}</ul>`}</div>`;
}

/** Whom a sentence is about, and of which night a check tells. */
function About({ starter, players, day, add }) {
  const { say } = useWords();
  const [night, setNight] = useState(day);
  const first = useRef(null);
  useEffect(() => first.current?.focus(), []);
  const nights = Array.from({ length: day }, (_, place) => place + 1);
  const check = starter.claim.kind === "check";
  return html`<div class="claim-form" role="group" aria-label=${say("starter.about")}>
    ${check && nights.length > 1 && html`<label>${say("starter.night")} <select value=${night} onChange=${({ target }) => setNight(Number(target.value))}>${nights.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>`}
    <div class="choices small">${players.map((seat, place) => html`<button type="button" key=${seat} ref=${place ? null : first} class="choice" onClick=${() => add(starter, seat, check ? night : 0)}><${Badge} seat=${seat} /></button>`)}</div>
  </div>`;
}
