// A table as it is played: the page of one seat, of the host or of a spectator.

import { html, useEffect, useMemo, useReducer, useRef, useState } from "./vendor/htm-preact.js";
import { Asked, Clock, said, useAnswer } from "./asked.js";
import { Ending, Forecast, Survey, useChances } from "./ending.js";
import { folded } from "./fold.js";
import { Host, Hosting, Lobby, Notice } from "./lobby.js";
import { Briefing, Claims, OwnCard, Rules, Seats, Tabs, Votes } from "./panels.js";
import { Record } from "./record.js";
import { Replay, aloud } from "./replay.js";
import { EMPTY, heard } from "./room.js";
import { Start } from "./start.js";
import { SoundSwitch, useSound, useTones } from "./sound.js";
import { Badge, RoleChip, Table } from "./table.js";
import { ask, follow, heldHost, holdHost, send, sitDown, token } from "./wire.js";
import { useWords } from "./words.js";

export function Live({ menu }) {
  const [, kind, table] = location.pathname.split("/");
  if (kind === "t" && table) return html`<${Room} key=${table} table=${table} menu=${menu} />`;
  if (kind === "replay" && table) return html`<${Kept} table=${table} menu=${menu} />`;
  return html`<div class="app plain"><${Bar} menu=${menu} /><${Start} /></div>`;
}

function Bar({ menu, children }) {
  const { say } = useWords();
  return html`<header class="bar"><h1><a href="/">${say("page.title")}</a></h1>${children}${menu}</header>`;
}

function Message({ menu, children }) {
  return html`<div class="app plain"><${Bar} menu=${menu} /><main class="lobby"><section class="sheet"><p role="status">${children}</p></section></main></div>`;
}

/** The replay of a table that is over. */
function Kept({ table, menu }) {
  const { say } = useWords();
  const [found, setFound] = useState({});
  useEffect(() => {
    ask(`/api/tables/${table}/replay`).then(({ document }) => setFound({ document }), (error) => setFound({ error }));
  }, [table]);
  const chances = useChances(table);
  if (found.document) return html`<${Replay} document=${found.document} menu=${menu} chances=${chances} kept />`;
  return html`<${Message} menu=${menu}>${found.error ? said(say, found.error.code ?? "unreachable") : say("live.loading")}</${Message}>`;
}

function Room({ table, menu }) {
  const { say, lang } = useWords();
  const [room, hear] = useReducer(heard, EMPTY);
  const [trouble, setTrouble] = useState(null);
  const [round, setRound] = useState(0);
  const call = (path, body) => send(`/api/tables/${table}/${path}`, body);
  useEffect(() => follow(`/api/tables/${table}/stream`, { message: hear, trouble: setTrouble, date: (now) => hear({ type: "date", now }) }), [table, round]);
  useEffect(() => {
    const renewed = () => setRound((before) => before + 1);
    addEventListener("hashchange", renewed);
    return () => removeEventListener("hashchange", renewed);
  }, []);
  const joined = ({ token }) => {
    if (location.hash === `#${token}`) setRound((before) => before + 1);
    else location.hash = token;
  };
  const { lobby } = room;
  const host = lobby?.you.whose === "host" ? token() : heldHost(table);
  const again = async () => {
    const links = await send(`/api/tables/${table}/host/rematch`, {}, host);
    const alone = lobby.you.whose === "seat" && lobby.seats_for_people === 1;
    const seat = alone && (await ask(`/api/tables/${table}`)).next?.token;
    holdHost(links.table, links.host);
    if (seat) await sitDown(links.table, seat, lang, lobby.practice ? "" : links.host);
    else if (lobby.you.whose === "seat") return;  // the stream brings the link of one's own new seat
    location.assign(`/t/${links.table}#${seat || links.host}`);
  };
  if (trouble instanceof Error) return html`<${Message} menu=${menu}>${said(say, trouble.code)}</${Message}>`;
  if (room.closed) {
    return html`<${Message} menu=${menu}>${say(room.closed === "replaced" ? "live.elsewhere" : "live.closed")}
      ${room.closed === "replaced" && html` <button type="button" onClick=${() => setRound(round + 1)}>${say("live.here")}</button>`}</${Message}>`;
  }
  if (room.ending?.document) return html`<${Ending} ending=${room.ending} lobby=${lobby} table=${table} menu=${menu} next=${room.next} again=${host ? again : null} />`;
  if (!lobby) return html`<${Message} menu=${menu}>${say(trouble ? "live.away" : "live.loading")}</${Message}>`;
  const strip = trouble && html`<p class="strip" role="status">${say("live.away")}</p>`;
  if (room.survey && !room.document) {
    return html`<div class="app plain"><${Bar} menu=${menu} />${strip}<main class="lobby"><${Survey} survey=${room.survey} ahead=${room.ahead} send=${(body) => call("survey", body).catch(() => {})} /></main></div>`;
  }
  if (!room.document) return html`<div class="app plain"><${Bar} menu=${menu} />${strip}<${Lobby} lobby=${lobby} call=${call} joined=${joined} /></div>`;
  return html`<${Seated} room=${room} hear=${hear} trouble=${trouble} call=${call} menu=${menu} />`;
}

function Seated({ room, hear, trouble, call, menu }) {
  const words = useWords();
  const { say } = words;
  const { document: view, frames, lobby, ahead } = room;
  const { eyes } = view;
  const me = typeof eyes === "number" ? eyes : null;
  const state = useMemo(() => folded(view.game, frames, eyes), [view, frames]);
  const [tab, setTab] = useState("record");
  const question = room.taken ? null : room.asks[0] ?? null;
  const answer = useAnswer(question);
  const dead = me !== null && me in state.dead;
  const plays = room.asks.length > 0 || (!dead && !state.outcome);  // last words are asked of the dead
  const paused = lobby.phase === "paused";
  const asked = question && { ...question, seat: me, players: view.game.seats.map((each) => each.seat).filter((seat) => seat !== me) };
  const sound = useSound();
  useTones(sound, question, ahead, paused);
  useKeyboardRoom();
  useTitle(question ? say("live.yourturn") : say("page.title"));
  const pick = asked && asked.options.length > 0 && !["hand", "speech", "last_words"].includes(asked.kind) ? { options: asked.options, chosen: answer.draft.chosen, choose: answer.choose } : null;
  const marks = dead && !state.outcome;
  const tabs = [
    ["record", html`<${Record} frames=${frames} now=${frames.at(-1)?.n} />`],
    ...(me !== null ? [["card", html`<${OwnCard} state=${state} /><${Times} lobby=${lobby} call=${call} />`]] : []),
    ["votes", html`<${Votes} state=${state} />`],
    ["claims", html`<${Claims} state=${state} />`],
    ...(marks ? [["forecast", html`<${Forecast} state=${state} send=${(body) => call("forecast", body)} />`]] : []),
    ...(me !== null ? [["notes", html`<${Notes} text=${room.notes} call=${call} />`]] : []),
    ["seats", html`<${Seats} state=${state} /><${Notice} lobby=${lobby} />${me !== null && plays && html`<${Slower} lobby=${lobby} call=${call} />`}`],
    ["rules", html`<${Rules} game=${view.game} />`],
    ...(lobby.you.whose === "host" ? [["host", html`<${Host} lobby=${lobby} call=${call} />`]] : []),
    ...(me !== null && heldHost(lobby.table) ? [["host", html`<${Hosting} lobby=${lobby} host=${heldHost(lobby.table)} />`]] : []),
  ];
  const shown = tabs.some(([name]) => name === tab) ? tab : "record";
  const back = () => call("back", {}).then(() => hear({ type: "taken", taken: false }));
  const talked = !state.outcome && frames.some(({ kind }) => kind === "speech" || kind === "last_words");
  return html`<div class=${`app live tab-${shown} ${question || room.survey ? "called" : ""} ${talked ? "talked" : ""}`}>
    <${Bar} menu=${html`<${SoundSwitch} sound=${sound} />${menu}`}>${lobby.ai.count > 0 && html`<span class="tag">${say("live.ai")}</span>`}</${Bar}>
    <main>
      ${trouble && html`<p class="strip" role="status">${say("live.away")}</p>`}
      ${paused && html`<p class="strip" role="status">${say("live.paused")}</p>`}
      ${room.taken && plays && html`<p class="strip" role="status">${say("live.taken")} <button type="button" onClick=${back}>${say("live.back")}</button></p>`}
      <${Table} state=${state} pick=${pick} live />
      <div class="mine-now">
      ${room.survey ? html`<${Survey} survey=${room.survey} ahead=${ahead} send=${(body) => call("survey", body).catch(() => {})} />`
        : asked ? html`<${Asked} key=${asked.request} ask=${asked} ahead=${ahead} paused=${paused} nudged=${room.nudged === asked.request} answer=${answer} reply=${(body) => call("answer", body)} day=${state.day} night=${state.night} />`
        : html`<section class="ask idle"><p role="status">${say(waiting(state, me, dead))}</p>${marks && html`<button type="button" onClick=${() => setTab("forecast")}>${say("live.mark")}</button>`}${room.clock?.ends_at && !state.outcome && html`<${Clock} ask=${room.clock} ahead=${ahead} paused=${paused} />`}</section>`}
      ${me !== null && html`<button type="button" class="own" onClick=${() => setTab("card")}>${words.seat(me)} ${state.roles[me] && html`<${RoleChip} role=${state.roles[me]} /> <span class="word">${words.role(state.roles[me])}</span>`}
        ${state.mates.length > 0 && html`<small><span class="lead">${say("card.mates")}:</span> <span class="unseen">${words.seats(state.mates)}</span><span aria-hidden="true">${state.mates.map((seat) => html`<${Badge} key=${seat} seat=${seat} /> `)}</span></small>`}</button>`}
      </div>
    </main>
    <${Tabs} tabs=${tabs} chosen=${shown} choose=${setTab} label=${say("replay.side")} />
    ${room.card && me !== null && state.roles[me] && html`<${CardShown} card=${room.card} ahead=${ahead} state=${state} seen=${() => call("seen", {}).then(() => hear({ type: "seen" }))} />`}
    <p class="unseen" aria-live="polite">${aloud(frames.at(-1), words)}</p>
  </div>`;
}

function waiting(state, me, dead) {
  if (state.outcome) return "live.over";
  if (me === null) return "live.watching";
  if (dead) return "live.dead";
  return state.night ? "live.night" : "live.wait";
}

/** The card, once, before the first night; it is put away by the one who read it. */
function CardShown({ card, ahead, state, seen }) {
  const { say } = useWords();
  const box = useRef(null);
  const [error, setError] = useState(null);
  useEffect(() => { 
    if (!box.current.open) box.current.showModal();
    box.current.focus();  // to be read from its top
  }, []);
  const read = () => seen().catch((problem) => setError(problem.code ?? "unreachable"));
  return html`<dialog class="card-box" tabindex="-1" ref=${box} onCancel=${(event) => event.preventDefault()} onClose=${() => box.current?.showModal()}><header><h2>${say("card.look")}</h2><${Clock} ask=${card} ahead=${ahead} /></header>
    <${OwnCard} state=${state} /><${Briefing} game=${state.game} card />
    <div class="put"><button type="button" class="main" onClick=${read}>${say("card.read")}</button>
      ${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</div></dialog>`;
}

/** Whoever needs more time asks for it here; nobody is told who did. */
function Times({ lobby, call }) {
  const { say } = useWords();
  return html`<p class="small">${lobby.doubled ? say("lobby.doubled") : html`<button type="button" onClick=${() => call("ready", { doubled: true }).catch(() => {})}>${say("lobby.double")}</button>`}</p>`;
}

/** Double time for all, from the next question on. */
function Slower({ lobby, call }) {
  const { say } = useWords();
  if (lobby.doubled) return html`<p>${say("lobby.doubled")}</p>`;
  return html`<button type="button" onClick=${() => call("ready", { ready: true, doubled: true }).catch(() => {})}>${say("lobby.double")}</button>`;
}

function Notes({ text, call }) {
  const { say } = useWords();
  const [own, setOwn] = useState(text);
  const [kept, setKept] = useState(true);
  const timer = useRef(null);
  const write = ({ target }) => {
    setOwn(target.value);
    setKept(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => call("note", { text: target.value }).then(() => setKept(true), () => setKept(false)), 700);
  };
  return html`<label class="notes"><span>${say("notes.what")}</span><textarea rows="10" dir="auto" value=${own} onInput=${write}></textarea><small role="status">${say(kept ? "notes.kept" : "notes.keeping")}</small></label>`;
}

function useTitle(title) {
  useEffect(() => { document.title = title; }, [title]);
}

/** While a phone's keyboard is up, the question takes the part of the screen that is left. */
function useKeyboardRoom() {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return undefined;
    const root = document.documentElement;
    const fit = () => {
      const typing = document.activeElement?.matches?.("textarea, input:not([type=range])");
      const low = seen.height < 480 && innerWidth < 900;
      root.dataset.keyboard = typing && (innerHeight - seen.height > 120 || low) ? "up" : "down";
      root.style.setProperty("--seen-height", `${seen.height}px`);
      root.style.setProperty("--seen-top", `${seen.offsetTop}px`);
    };
    const events = [[seen, "resize"], [seen, "scroll"], [document, "focusin"], [document, "focusout"]];
    for (const [target, name] of events) target.addEventListener(name, fit);
    fit();
    return () => {
      for (const [target, name] of events) target.removeEventListener(name, fit);
      delete root.dataset.keyboard;
    };
  }, []);
}
