// Before the game: who is there, what is recorded, joining, and what only the host may do.

import { html, useState } from "./vendor/htm-preact.js";
import { said } from "./asked.js";
import { Badge } from "./table.js";
import { client, heldHost, holdHost, send, sitDown, token } from "./wire.js";
import { useWords } from "./words.js";

/** That bots play here, which ones if the host tells, and to whom words are sent. */
export function Notice({ lobby }) {
  const { say, seats, lang } = useWords();
  const named = Object.keys(lobby.ai?.names ?? {}).map(Number);
  return html`<p class="notice" role="note">${lobby.notice[lang]} ${named.length > 0 && say("lobby.which", { seats: seats(named) })}</p>`;
}

export function Lobby({ lobby, call, joined }) {
  const { say, has } = useWords();
  const { you, people } = lobby;
  const missing = lobby.seats_for_people - people.length;
  const game = has(`preset.${lobby.game}`) ? say(`preset.${lobby.game}`) : lobby.game;
  return html`<main class="lobby">
    <section class="sheet"><h2>${lobby.practice ? say("start.practice") : game} · ${say("lobby.players", { count: lobby.players })}</h2>
      <p>${missing ? say("lobby.missing", { count: missing }) : say("lobby.full")}</p>
      <${Notice} lobby=${lobby} />
      <ul class="places">${people.map((each) => html`<li key=${each.name} class=${each.name === you.name ? "me" : ""}><bdi class="who">${each.name}</bdi>
        <span class=${`state ${each.ready ? "ready" : ""}`}>${say(each.ready ? "lobby.isready" : "lobby.joined")}</span></li>`)}
        ${Array.from({ length: missing }, (_, place) => html`<li key=${place} class="free"><span class="who">${say("lobby.open")}</span></li>`)}</ul>
    </section>
    ${(you.whose === "invite" || (you.whose === "seat" && !you.joined)) && html`<${Join} lobby=${lobby} call=${call} joined=${joined} />`}
    ${you.joined && html`<${Mine} you=${you} lobby=${lobby} call=${call} />`}
    ${you.whose === "host" && html`<${Host} lobby=${lobby} call=${call} />`}
  </main>`;
}

function Mine({ you, lobby, call }) {
  const { say, lang } = useWords();
  const [doubled, setDoubled] = useState(false);
  const [error, setError] = useState(null);
  const host = heldHost(lobby.table);
  const start = () => sitDown(lobby.table, token(), lang, host).catch((problem) => setError(problem.code ?? "unreachable"));
  return html`<section class="sheet mine"><h2>${say("lobby.yours", { seat: you.seat })}</h2>
    ${you.ready ? html`<p>${say("lobby.wait")}</p>` : html`<button type="button" class="main" onClick=${() => call("ready", { ready: true, doubled })}>${say("lobby.ready")}</button>
      ${lobby.doubled ? html`<p>${say("lobby.doubled")}</p>` : html`<label class="consent"><input type="checkbox" checked=${doubled} onChange=${({ target }) => setDoubled(target.checked)} /> ${say("lobby.double")}</label>`}`}
    ${host && html`<button type="button" onClick=${start}>${say(lobby.people.length < lobby.seats_for_people ? "host.fill" : "host.start")}</button>
      <a class="button" target="_blank" rel="noreferrer" href=${`/t/${lobby.table}#${host}`}>${say("host.page")}</a>`}
    <button type="button" onClick=${() => call("leave", {})}>${say("lobby.leave")}</button>
    ${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</section>`;
}

function Join({ lobby, call, joined }) {
  const { say, lang } = useWords();
  const [name, setName] = useState("");
  const [consent, setConsent] = useState(false);
  const [error, setError] = useState(null);
  const join = async (event) => {
    event.preventDefault();
    try {
      joined(await call("join", { name: name.trim(), lang, consent, client: client() }));
    } catch (problem) {
      setError(problem.code ?? "unreachable");
    }
  };
  return html`<form class="sheet join" onSubmit=${join}><h2>${say("join.title")}</h2>
    <label>${say("join.name")} <input name="name" maxlength="40" autocomplete="off" value=${name} onInput=${({ target }) => setName(target.value)} placeholder=${say("join.pseudonym")} /></label>
    <label class="consent"><input type="checkbox" checked=${consent} onChange=${({ target }) => setConsent(target.checked)} /> <span>${[say("join.agree"), lobby.consent[lang]].join(lang === "zh" ? "" : " ")}</span></label>
    <button type="submit" class="main" disabled=${!consent}>${say("join.join")}</button>
    ${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</form>`;
}

/** The host's own: links, start, pause, a new deal, the end; and each person's seat. */
export function Host({ lobby, call }) {
  const { say, lang } = useWords();
  const [error, setError] = useState(null);
  const act = async (name, body = {}) => {
    try {
      const found = await call(`host/${name}`, body);
      setError(null);
      return found;
    } catch (problem) {
      setError(problem.code ?? "unreachable");
    }
  };
  const sure = (name) => confirm(say(`host.sure_${name}`)) && act(name);
  const link = (token) => `/t/${lobby.table}#${token}`;
  const { phase, chairs } = lobby;
  const empty = lobby.people.length < lobby.seats_for_people;
  const free = phase === "lobby" ? chairs.find((each) => !each.joined) : null;
  const alone = lobby.seats_for_people === 1;
  const sit = async () => {
    try {
      holdHost(lobby.table, token());
      await sitDown(lobby.table, free.token, lang, alone ? token() : "");  // other people's seats wait for them
      location.hash = free.token;
    } catch (problem) {
      setError(problem.code ?? "unreachable");
    }
  };
  return html`<section class="sheet host" aria-label=${say("host.label")}><h2>${say("host.label")}</h2>
    ${phase === "lobby" && html`<p>${say(alone ? "host.share" : "host.share_all")}</p>`}
    <${CopyLink} name="invite" link=${link(lobby.invite)} />
    ${lobby.spectators !== "none" && html`<${CopyLink} name="spectator" link=${link(lobby.spectator)} />`}
    ${phase === "lobby" && alone && html`<p><a class="button" target="_blank" rel="noreferrer" href=${link(lobby.invite)}>${say("host.sit")}</a></p>`}
    <ul class="chairs">${(chairs ?? []).map((each) => html`<${Chair} key=${each.seat} each=${each} phase=${phase} act=${act} link=${link} />`)}</ul>
    <div class="acts">
      ${free && html`<button type="button" class="main" onClick=${sit}>${say(alone ? "start.sit" : "host.sit")}</button>`}
      ${phase === "lobby" && html`<button type="button" class=${free ? "" : "main"} onClick=${() => act("start", { fill: empty })}>${say(empty ? "host.fill" : "host.start")}</button>`}
      ${phase === "playing" && html`<button type="button" onClick=${() => act("pause")}>${say("host.pause")}</button>`}
      ${phase === "paused" && html`<button type="button" class="main" onClick=${() => act("go")}>${say("host.go")}</button>`}
      ${["playing", "paused"].includes(phase) && html`<button type="button" onClick=${() => sure("redeal")}>${say("host.redeal")}</button>
        <button type="button" onClick=${() => sure("end")}>${say("host.end")}</button>`}
      <button type="button" class="danger" onClick=${() => sure("delete")}>${say("host.delete")}</button>
    </div>${free && html`<p class="small">${[say("start.agree"), lobby.consent[lang]].join(lang === "zh" ? "" : " ")}</p>`}${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</section>`;
}

/** What the host may do who plays at the table, too; the rest stands on the host's own page. */
export function Hosting({ lobby, host }) {
  const { say } = useWords();
  const [error, setError] = useState(null);
  const act = (name) => send(`/api/tables/${lobby.table}/host/${name}`, {}, host).then(() => setError(null), (problem) => setError(problem.code ?? "unreachable"));
  const sure = (name) => confirm(say(`host.sure_${name}`)) && act(name);
  const going = lobby.phase === "paused" ? "go" : "pause";
  return html`<section class="host"><div class="acts"><button type="button" onClick=${() => act(going)}>${say(`host.${going}`)}</button>
      <button type="button" onClick=${() => sure("redeal")}>${say("host.redeal")}</button><button type="button" onClick=${() => sure("end")}>${say("host.end")}</button></div>
    <p><a href=${`/t/${lobby.table}#${host}`} target="_blank" rel="noreferrer">${say("host.page")}</a></p>
    ${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</section>`;
}

function Chair({ each, phase, act, link }) {
  const { say } = useWords();
  const { seat } = each;
  const [fresh, setFresh] = useState(null);
  const own = each.token ?? fresh;  // of a seat that somebody has there is none but a new one
  const renew = async () => setFresh((await act("renew", { whose: `seat/${seat}` }))?.token ?? null);
  const state = !each.joined ? "lobby.open" : each.replaced ? "host.replaced" : each.taken ? "host.taken" : each.away ? "lobby.away" : each.ready || phase !== "lobby" ? "lobby.isready" : "lobby.joined";
  return html`<li><details><summary><${Badge} seat=${seat} /> <bdi class="who">${each.name}</bdi> <span class="state">${say(state)}</span></summary>
    ${own && html`<${CopyLink} name=${String(seat)} link=${link(own)} />`}
    <div class="acts"><button type="button" onClick=${renew}>${say("host.renew")}</button>
      ${each.joined && phase !== "lobby" && html`<button type="button" onClick=${() => act("replace", { seat })}>${say("host.replace")}</button>`}
      ${each.joined && html`<button type="button" onClick=${() => act("remove", { seat })}>${say("host.remove")}</button>`}</div></details></li>`;
}

export function CopyLink({ name, link }) {
  const { say } = useWords();
  const [done, setDone] = useState(false);
  const whole = new URL(link, location.origin).href;
  const label = /^\d+$/.test(name) ? say("host.link_seat", { seat: name }) : say(`host.link_${name}`);
  const copy = async () => {
    await navigator.clipboard?.writeText(whole).catch(() => {});
    setDone(true);
  };
  return html`<label class="link"><span>${label}</span><input readonly value=${whole} onFocus=${({ target }) => target.select()} />
    <button type="button" onClick=${copy}>${say(done ? "replay.copied" : "host.copy")}</button></label>`;
}
