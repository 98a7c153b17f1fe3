// What stands beside the table: votes, claims, the cards of a seat, the rules.

import { html } from "./vendor/htm-preact.js";
import { totals } from "./fold.js";
import { Badge, RoleChip } from "./table.js";
import { TERMS, Termed } from "./terms.js";
import { useWords } from "./words.js";

/** Tabs, of which one panel is shown. */
export function Tabs({ tabs, chosen, choose, label }) {
  const { say } = useWords();
  const step = (event) => {
    const names = tabs.map(([name]) => name);
    const here = names.indexOf(chosen);
    const place = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key];
    if (place === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    const next = names.at(place % names.length);
    choose(next);
    event.currentTarget.querySelector(`#tab-${next}`)?.focus();
  };
  const open = (event, name) => {
    event.currentTarget.focus();  // not every browser does, and the keys go by it
    choose(name);
  };
  const [, panel] = tabs.find(([name]) => name === chosen) ?? tabs[0];
  return html`<aside class="side" aria-label=${label}>
    <div role="tablist" class="tabs" onKeyDown=${step}>${tabs.map(([name]) => html`<button type="button" role="tab" id=${`tab-${name}`} key=${name}
      aria-selected=${name === chosen} aria-controls="panel" tabindex=${name === chosen ? 0 : -1} onClick=${(event) => open(event, name)}>${say(`tab.${name}`)}</button>`)}</div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${chosen}`} class=${`panel panel-${chosen}`}>${panel}</div>
  </aside>`;
}

const key = (vote) => `${vote.day}-${vote.stage}-${vote.n}`;

/** Who voted for whom, all votes that were shown. */
export function Votes({ state, go }) {
  const { say, named, seat } = useWords();
  if (!state.votes.length) return html`<p class="empty">${say("votes.none")}</p>`;
  const open = state.votes.some((vote) => !vote.totals);
  return html`<div class="scroll"><table class="matrix"><caption>${say("votes.label")}</caption>
    <thead><tr><th scope="col">${say("votes.voter")}</th>${state.votes.map((vote) => html`<th scope="col" key=${key(vote)}>
      <button type="button" class="plain" onClick=${() => go?.(vote.n)}>${named("votes", vote.stage, { day: vote.day })}</button></th>`)}</tr></thead>
    <tbody>${open && state.game.seats.map((each) => html`<tr key=${each.seat} class=${state.dead[each.seat] ? "gone" : ""}>
      <th scope="row" aria-label=${seat(each.seat)}><${Badge} seat=${each.seat} />${state.roles[each.seat] && html`<${RoleChip} role=${state.roles[each.seat]} />`}</th>
      ${state.votes.map((vote) => html`<td key=${key(vote)}>${cell(vote, each.seat, say)}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${say("votes.most")}</th>${state.votes.map((vote) => html`<td key=${key(vote)}>${most(vote)}</td>`)}</tr>
      <tr><th scope="row">${say("votes.out")}</th>${state.votes.map((vote) => html`<td key=${key(vote)}>${vote.out ? html`<${Badge} seat=${vote.out} />` : vote.result ? say("votes.tied") : ""}</td>`)}</tr></tfoot>
  </table></div>`;
}

function cell(vote, seat, say) {
  if (vote.void.includes(seat)) return html`<span title=${say("ballot.void")}>×</span>`;
  if (!(seat in vote.votes)) return "";
  return vote.votes[seat] ? html`<${Badge} seat=${vote.votes[seat]} />` : html`<span title=${say("ballot.abstained")}>–</span>`;
}

function most(vote) {
  const rows = totals(vote);
  return rows.filter(([, count]) => count === rows[0][1]).map(([seat, count]) => html`<span key=${seat} class="pair"><${Badge} seat=${seat} />${count}</span>`);
}

/** Every claim that was declared, by whom and when, and those only `read`; with what is true of it where that is known. */
export function Claims({ state, go, verdicts, read = [] }) {
  const { say, claim } = useWords();
  const all = [...state.claims, ...read].sort((one, other) => one.n - other.n);
  if (!all.length) return html`<p class="empty">${say("claims.none")}</p>`;
  const days = [...new Set(all.map((each) => each.day))];
  return html`<div class="claim-board">${read.length > 0 && html`<p class="small">${say("claims.how")}</p>`}${days.map((day) => html`<section key=${day}><h3>${say("now.day", { day })}</h3><ul>
    ${all.filter((each) => each.day === day).map((each, place) => {
      const verdict = verdicts?.(each);
      return html`<li key=${place} class=${`claim of-${each.kind} ${verdict ?? ""} ${each.read === undefined ? "" : "read"}`}><${Badge} seat=${each.by} />
        <button type="button" class="plain" onClick=${() => go?.(each.n)}>${claim(each)}</button>
        ${each.read !== undefined && html`<span class="quoted">${say("claims.read")} <q><bdi>${each.read}</bdi></q></span>`}
        ${verdict && html`<span class="verdict">${say(`claims.${verdict}`)}</span>`}</li>`;
    })}</ul></section>`)}</div>`;
}

/** What a seat holds and knows: the card, the partners, the checks, what it did. */
export function OwnCard({ state }) {
  const { say, has, named, role, seats, seat, lang } = useWords();
  const { me } = state;
  const card = state.roles[me];
  if (!card) return html`<p class="empty">${say("card.none")}</p>`;
  return html`<section class=${`card role-${card}`} aria-label=${say("card.label")}>
    <header><${RoleChip} role=${card} /><div><strong>${role(card)}</strong><small>${seat(me)} · ${named("side", state.sides[me] ?? "")}</small></div></header>
    <dl>
      ${has(`card.night_${card}`) && html`<dt>${say("card.night")}</dt><dd><${Termed} text=${say(`card.night_${card}`)} /></dd>
        <dt>${say("card.day")}</dt><dd><${Termed} text=${say(`card.day_${card === "killer" ? "killer" : "good"}`)} /></dd>
        <dt>${say("card.win")}</dt><dd>${goal(state.game, lang)}</dd>`}
      ${state.mates.length > 0 && html`<dt>${say("card.mates")}</dt><dd>${seats(state.mates)}</dd>`}
    </dl>
    <${Knowledge} state=${state} />
  </section>`;
}

/** The second paragraph of the rules says how each side wins. */
function goal(game, lang) {
  return (game.rules_text[lang].split("\n")[1] ?? "").replace(/^\d+\.\s*[^.：]*[.：]\s*/, "");
}

function Knowledge({ state }) {
  const { say, named } = useWords();
  const { me } = state;
  if (!state.checks.length && !state.acts.length && !state.needles[me]) return null;
  const acts = state.acts.filter((each) => each.action !== "check");
  return html`<ul class="knowledge">
    ${state.checks.map((each, place) => html`<li key=${`c${place}`}>${say("now.night", { day: each.night })} <b>${say("deed.checked")}</b> <${Badge} seat=${each.target} /> ${named("check", each.answer)}</li>`)}
    ${acts.map((each, place) => html`<li key=${`a${place}`}>${say("now.night", { day: each.night })} <b>${named("deed", each.action)}</b> ${each.target ? html`<${Badge} seat=${each.target} />` : say("deed.nobody")}</li>`)}
    ${state.needles[me] && html`<li>${say("card.needles", { count: state.needles[me] })}</li>`}
  </ul>`;
}

/** The judge's few words on this table before the first night: its cards, who wins when (beside a `card` it says so), what a night is and what a day. */
export function Briefing({ game, card }) {
  const { say, has, lang } = useWords();
  const day = `briefing.day_${game.game}`;
  if (!has(day)) return null;
  const lines = [...(card ? [] : [["win", goal(game, lang)]]), ["night", say("briefing.night")], ["day", say(day)]];
  return html`<section class="briefing"><h3>${say("briefing.title")}</h3><${Counts} game=${game} />
    <dl>${lines.map(([name, text]) => html`<dt key=${name}>${say(`briefing.${name}_is`)}</dt><dd><${Termed} text=${text} /></dd>`)}</dl></section>`;
}

function Counts({ game }) {
  const { say, role: called } = useWords();
  return html`<p class="counts">${Object.entries(game.counts).map(([role, count]) => html`<span key=${role}><${RoleChip} role=${role} />${say("rules.count", { count, role: called(role) })}</span>`)}</p>`;
}

/** The rules of this table, as the players have them. */
export function Rules({ game }) {
  const { lang, say, has } = useWords();
  const brief = has(`briefing.day_${game.game}`);
  return html`<div class="rules">${brief ? html`<${Briefing} game=${game} /><h3>${say("rules.whole")}</h3>` : html`<${Counts} game=${game} />`}
    ${game.rules_text[lang].split("\n").filter(Boolean).map((line, place) => html`<p key=${place}><${Termed} text=${line} /></p>`)}
    <h3>${say("term.title")}</h3><ul class="terms">${TERMS.map((name) => html`<li key=${name}>${say(`term.${name}`)}</li>`)}</ul></div>`;
}

/** Every seat: who sits there, and the card where it is known. */
export function Seats({ state, blind }) {
  const { say, seat, role } = useWords();
  return html`<table class="who"><caption class="unseen">${say("tab.seats")}</caption><tbody>${state.game.seats.map((each) => html`<tr key=${each.seat} class=${state.dead[each.seat] ? "gone" : ""}>
    <th scope="row"><${Badge} seat=${each.seat} /></th>
    <td>${state.roles[each.seat] ? html`<${RoleChip} role=${state.roles[each.seat]} /> ${role(state.roles[each.seat])}` : html`<span class="unknown">?</span>`}</td>
    <td><bdi>${each.name ?? ""}</bdi>${!blind && (each.model || each.player) && html` <small class="whose">${each.model || each.player}</small>`}</td>
    <td>${state.dead[each.seat] ? say(`seat.gone_${state.dead[each.seat].how}`, { day: state.dead[each.seat].day }) : say("seat.alive")}</td></tr>`)}</tbody></table>`;
}
