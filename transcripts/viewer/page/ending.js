// After the game: first the question which seats were bots, then the truth.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Clock, said } from "./asked.js";
import { Replay } from "./replay.js";
import { Badge, RoleChip } from "./table.js";
import { ask } from "./wire.js";
import { useWords } from "./words.js";

export function Survey({ survey, ahead, send }) {
  const { say } = useWords();
  const [chosen, setChosen] = useState([]);
  const turn = (seat) => setChosen(chosen.includes(seat) ? chosen.filter((each) => each !== seat) : [...chosen, seat]);
  return html`<section class="sheet survey" aria-label=${say("end.survey")}><header><h2>${say("end.survey")}</h2><${Clock} ask=${survey} ahead=${ahead} /></header><p>${say("end.before")}</p>
    <div class="choices" role="group" aria-label=${say("ask.seats")}>${survey.seats.map((seat) => html`<button type="button" key=${seat} class="choice" aria-pressed=${chosen.includes(seat)} onClick=${() => turn(seat)}><${Badge} seat=${seat} /></button>`)}</div>
    <div class="acts"><button type="button" class="main" onClick=${() => send({ bots: chosen })}>${say("end.tell")}</button>
      <button type="button" onClick=${() => send({ skip: true })}>${say("end.skip")}</button></div></section>`;
}

/** How the chances stood at a table that is over: `"pending"`, then them, or null where there are none. */
export function useChances(table) {
  const [found, setFound] = useState("pending");
  useEffect(() => {
    ask(`/api/tables/${table}/chances`).then(({ chances }) => setFound(chances), () => setFound(null));
  }, [table]);
  return found;
}

/** Who was what, the whole game again, and another one. */
export function Ending({ ending, lobby, table, menu, next, again }) {
  const { say, role, seat: seatName } = useWords();
  const { document, table: kept } = ending;
  const { seats } = document.game;
  const last = document.frames.at(-1)?.n ?? 0;
  const chances = useChances(table);
  const me = seats.find((each) => each.seat === lobby?.you?.seat);
  const over = document.frames.find((frame) => frame.kind === "over");
  const won = me?.side && over?.winner === me.side;
  return html`<div class="ending"><section class=${`verdict-bar ${won ? "won" : ""}`} role="status">
      <strong>${over ? say(`winner.${over.winner}`) : say("end.broken")}</strong>
      ${me?.role && html`<span>${say("end.you", { role: role(me.role) })} ${over && over.winner !== "draw" && say(won ? "end.won" : "end.lost")}</span>`}
      ${kept?.bots && html`<span class="bots">${say("end.bots")} ${kept.bots.map((each) => html`<${Badge} key=${each} seat=${each} />`)}</span>`}
      ${latest(kept?.forecasts ?? []).map((each) => html`<span key=${each.seat}>${say("end.brier", { seat: seatName(each.seat), score: each.brier.toFixed(2) })}</span>`)}
      <span class="acts">${document.eyes === "truth" && html`<a class="button" href=${`/replay/${table}${location.hash}`}>${say("end.replay")}</a>`}
        ${next ? html`<a class="button main" href=${`/t/${next.table}#${next.token}`}>${say("end.again")}</a>` : again && html`<button type="button" class="main" onClick=${again}>${say("end.again")}</button>`}</span>
    </section>
    <${Replay} document=${document} menu=${menu} start=${{ eyes: "truth", event: last, tab: "review" }} chances=${chances} guesses=${kept} kept /></div>`;
}

/** Each forecaster's last marks. */
function latest(forecasts) {
  return [...new Map(forecasts.map((each) => [each.seat, each])).values()];
}

const USUAL = 0.25;

/** For the dead: how likely each of the living is a killer, before each vote. */
export function Forecast({ state, send }) {
  const { say, seat: seatName } = useWords();
  const [given, setGiven] = useState({});
  const [done, setDone] = useState(false);
  const [error, setError] = useState(null);
  const set = (seat, share) => { setGiven({ ...given, [seat]: share }); setDone(false); };
  const tell = async () => {
    try {
      await send({ marks: Object.fromEntries(state.living.map((seat) => [seat, given[seat] ?? USUAL])) });
      setDone(true);
      setError(null);
    } catch (problem) {
      setError(problem.code ?? "unreachable");
    }
  };
  return html`<section class="forecast"><p>${say("forecast.what")}</p>${state.living.map((seat) => html`<label key=${seat}><${Badge} seat=${seat} />${state.roles[seat] && html`<${RoleChip} role=${state.roles[seat]} />`}
      <input type="range" min="0" max="100" step="5" value=${Math.round(100 * (given[seat] ?? USUAL))} aria-label=${seatName(seat)} onInput=${({ target }) => set(seat, Number(target.value) / 100)} />
      <output>${given[seat] === undefined ? "–" : `${Math.round(100 * given[seat])} %`}</output></label>`)}
    <button type="button" class="main" onClick=${tell} disabled=${!Object.keys(given).length}>${say(done ? "forecast.done" : "forecast.tell")}</button>${error && html`<p class="error" role="alert">${said(say, error)}</p>`}</section>`;
}
