// The first page: a table is set up here.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { said } from "./asked.js";
import { CopyLink } from "./lobby.js";
import { More, changed, seated } from "./more.js";
import { ask, holdHost, send, sitDown } from "./wire.js";
import { useWords } from "./words.js";

export function Start() {
  const { say, has, lang } = useWords();
  const [options, setOptions] = useState(null);
  const [plan, setPlan] = useState({ game: "classic-arena", size: 8, people: 1, bot: "", pace: "normal", spectators: "public", disclose: "number", lang, minutes: 15, chosen: {}, marks: {} });
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    ask("/api/options").then((found) => {
      setOptions(found);
      setPlan((before) => ({ ...before, bot: found.bots[0], game: found.games.includes(before.game) ? before.game : found.games[0] }));
    }, (problem) => setError(problem.code ?? "unreachable"));
  }, []);
  if (made) return html`<${Made} made=${made} />`;
  if (!options) return html`<main class="lobby"><section class="sheet"><p role="status">${error ? said(say, error) : say("live.loading")}</p></section></main>`;
  const sizes = options.sizes[plan.game];
  const size = sizes.includes(plan.size) ? plan.size : sizes[0];
  const change = (more) => setPlan((before) => ({ ...before, ...more }));
  const set = (name, number) => ({ target }) => change({ [name]: number ? Number(target.value) : target.value });
  const choose = ({ target }) => change({ game: target.value, chosen: {} });
  const { people, bots } = seated(plan.marks, plan.people, size);
  const several = Array.isArray(people) ? people.length > 1 : people > 1;
  const open = async (order) => {
    try {
      return await send("/api/tables", { lang, ...order });
    } catch (problem) {
      setError(problem.code ?? "unreachable");
      return null;
    }
  };
  const ordered = () => {
    const { size: _, minutes, chosen, marks, ...rest } = plan;
    const whole = { ...rest, people, bots, options: changed(options.rules?.[plan.game] ?? [], chosen, size) };
    if (plan.spectators === "delayed") whole.delay = 60 * minutes;
    return sizes.length > 1 ? { ...whole, size } : whole;
  };
  const create = async (event) => {
    event.preventDefault();
    const found = await open(ordered());
    if (!found) return;
    holdHost(found.table, found.host);
    if (several) location.assign(`/t/${found.table}#${found.host}`);  // its lobby has the links
    else setMade(found);
  };
  const play = async (order) => {
    if (busy) return;
    setBusy(true);
    const found = await open(order);
    try {
      if (!found) return;
      const [seat] = Object.values(found.seats);
      holdHost(found.table, found.host);
      await sitDown(found.table, seat, lang, order.practice ? "" : found.host);
      location.assign(`/t/${found.table}#${seat}`);
    } catch (problem) {
      setError(problem.code ?? "unreachable");
    } finally {
      setBusy(false);
    }
  };
  const called = (group, name) => (has(`${group}.${name}`) ? say(`${group}.${name}`) : name);
  const choice = (name, values, group) => html`<select value=${plan[name]} onChange=${set(name)}>${values.map((each) => html`<option key=${each} value=${each}>${group ? called(group, each) : each}</option>`)}</select>`;
  return html`<main class="lobby"><p class="notice" role="note">${[say("start.agree"), options.consent[lang]].join(lang === "zh" ? "" : " ")}</p>
    <section class="sheet"><h2>${say("start.practice")}</h2><p>${say("start.new")}</p><button type="button" disabled=${busy} onClick=${() => play({ practice: true })}>${say("start.try")}</button></section>
    <form class="sheet start" onSubmit=${create}><h2>${say("start.title")}</h2><p>${say("start.what")}</p>
    <label>${say("start.game")} <select value=${plan.game} onChange=${choose}>${options.games.map((each) => html`<option key=${each} value=${each}>${called("preset", each)}</option>`)}</select></label>
    ${sizes.length > 1 && html`<label>${say("start.size")} <select value=${size} onChange=${set("size", true)}>${sizes.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>`}
    <label>${say("start.people")} <input type="number" min="1" max=${size} value=${Array.isArray(people) ? people.length : people} disabled=${Array.isArray(people)} onInput=${set("people", true)} /></label>
    <label>${say("start.bots")} ${choice("bot", options.bots)}</label>
    <label>${say("start.pace")} ${choice("pace", options.paces, "pace")}</label>
    <label>${say("start.disclose")} ${choice("disclose", ["number", "who"], "disclose")}</label>
    <label>${say("start.spectators")} ${choice("spectators", ["none", "public", "delayed", "end"], "watching")}</label>
    <${More} options=${options} plan=${plan} size=${size} change=${change} />
    ${several && html`<p class="small">${say("start.several")}</p>`}
    <div class="acts">${several ? html`<button type="submit" class="main">${say("start.links")}</button>`
      : html`<button type="button" class="main" disabled=${busy} onClick=${() => play(ordered())}>${say("start.sit")}</button>
      <button type="submit">${say("start.create")}</button>`}</div>${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</form></main>`;
}

function Made({ made }) {
  const { say } = useWords();
  const host = `/t/${made.table}#${made.host}`;
  return html`<main class="lobby"><section class="sheet"><h2>${say("start.made")}</h2><p>${say("start.keep")}</p>
    <${CopyLink} name="host" link=${host} /><${CopyLink} name="invite" link=${`/t/${made.table}#${made.invite}`} />
    <p><a class="button main" href=${host}>${say("start.go")}</a></p></section></main>`;
}
