// The table: seats in a ring, day or night, who speaks, what was said, the ballot, the dead, the verdict.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { awaited, totals } from "./fold.js";
import { Icon } from "./icons.js";
import { Termed } from "./terms.js";
import { told, useWords } from "./words.js";

const WIDTH = 100;
const HEIGHT = 84;
const MIDDLE = [WIDTH / 2, HEIGHT / 2];
const RADII = [42.5, 34];

const STEPS = 720;
const rounds = new Map();

/** The turns at which so many places of an ellipse stand equally far apart; `flat` is its box's height by its width. */
function turnsOf(places, flat) {
  const kept = rounds.get(`${places} ${flat}`);
  if (kept) return kept;
  const [rx, ry] = [RADII[0] / WIDTH, (RADII[1] / HEIGHT) * flat];
  const far = [0];
  for (let step = 0; step < STEPS; step += 1) {
    const turn = (2 * Math.PI * (step + 0.5)) / STEPS;
    far.push(far[step] + Math.hypot(rx * Math.cos(turn), ry * Math.sin(turn)));
  }
  const turns = Array.from({ length: places }, (_, place) => {
    const goal = (far[STEPS] * place) / places;
    const step = far.findLastIndex((each) => each <= goal);
    return (2 * Math.PI * (step + (goal - far[step]) / (far[step + 1] - far[step]))) / STEPS;
  });
  rounds.set(`${places} ${flat}`, turns);
  return turns;
}

/** Where a place of the ring is; place 0 is the judge's, on top. Numbers go round as the table counts them. */
export function placeOf(place, places, direction, flat = HEIGHT / WIDTH) {
  const turn = (direction === "cw" ? 1 : -1) * turnsOf(places, flat)[place];
  return [MIDDLE[0] + RADII[0] * Math.sin(turn), MIDDLE[1] - RADII[1] * Math.cos(turn)];
}

/** How flat a box is shown, in hundredths; a phone's table is flatter than a desk's. */
function useFlat(box) {
  const [flat, setFlat] = useState(HEIGHT / WIDTH);
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth, clientHeight } = box.current;
      if (clientWidth) setFlat(Math.round((100 * clientHeight) / clientWidth) / 100);
    };
    look();
    const seen = new ResizeObserver(look);
    seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  return flat;
}

/** A seat's colour, as far from its neighbours' as can be. */
export function hueOf(seat) {
  return (seat * 137.5 + 200) % 360;
}

export function Badge({ seat, title }) {
  return html`<span class="badge" style=${{ "--hue": hueOf(seat) }} title=${title}>${seat}</span>`;
}

export function RoleChip({ role }) {
  const { say, has, role: name } = useWords();
  const glyph = has(`glyph.${role}`) ? say(`glyph.${role}`) : [...name(role)][0].toUpperCase();
  return html`<span class=${`chip role-${role}`} title=${name(role)} aria-label=${name(role)}>${glyph}</span>`;
}

export function Table({ state, pick, live }) {
  const { say } = useWords();
  const { game } = state;
  const count = game.seats.length;
  const direction = game.rules.seat_numbering;
  const circle = useRef(null);
  const flat = useFlat(circle);
  const at = (seat) => placeOf(seat, count + 1, direction, flat);
  const look = state.outcome ? `over ${state.outcome.winner}` : state.night ? "night" : "day";
  const crowd = count > 13 ? "full" : count > 10 ? "many" : "few";
  return html`<section class=${`table ${look} ${crowd}`} aria-label=${say("table.label")}>
    <div class="ring"><div class="circle" ref=${circle}>
      <svg class="lines" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        <ellipse class="cloth" cx=${MIDDLE[0]} cy=${MIDDLE[1]} rx=${RADII[0]} ry=${RADII[1]} />
        ${state.speech && html`<${Beam} to=${at(state.speech.by)} hue=${hueOf(state.speech.by)} />`}
        <${Arrows} state=${state} at=${at} />
      </svg>
      <div class="place judge" style=${spot(placeOf(0, count + 1, direction))}>
        <span class="token"><${Icon} name="gavel" /></span><span class="name">${say("table.judge")}</span>
      </div>
      <ol class="seats">
        ${game.seats.map((each) => html`<${Seat} key=${each.seat} each=${each} state=${state} at=${at(each.seat)} pick=${pick} />`)}
      </ol>
    </div><${Now} state=${state} live=${live} /></div>
  </section>`;
}

function spot([x, y]) {
  return { left: `${x}%`, top: `${(y / HEIGHT) * 100}%` };
}

function Seat({ each, state, at, pick }) {
  const { say, role: roleName, seat: seatName } = useWords();
  const { seat } = each;
  const gone = state.dead[seat];
  const role = state.roles[seat];
  const speaks = state.speech?.by === seat;
  const next = !state.speech && !state.night && awaited(state) === seat;
  const votes = state.ballot && new Map(totals(state.ballot)).get(seat);
  const told = state.told[seat];
  const hushed = state.silenced.includes(seat) && !state.night;
  const marks = [
    seatName(seat), each.name, seat === state.me && say("seat.you"),
    role && roleName(role), gone && say(`seat.gone_${gone.how}`, { day: gone.day }),
    told?.role && say("now.claims", { what: roleName(told.role) }), speaks && say("seat.speaks"), hushed && say("seat.silenced"), votes && say("seat.votes", { count: votes }),
  ].filter(Boolean);
  const classes = ["place", gone && "gone", speaks && "speaks", next && "next", seat === state.me && "me",
    state.candidates.includes(seat) && !gone && "candidate", pick?.options.includes(seat) && "offered",
    pick?.chosen.includes(seat) && "chosen"].filter(Boolean).join(" ");
  const face = html`<span class="token" style=${{ "--hue": hueOf(seat) }}>${seat}</span>`;
  const offered = pick?.options.includes(seat);
  return html`<li class=${classes} style=${spot(at)} aria-label=${marks.join(", ")}>
    ${offered
      ? html`<button type="button" class="face" onClick=${() => pick.choose(seat)} aria-pressed=${pick.chosen.includes(seat)}
          aria-label=${seatName(seat)}>${face}</button>`
      : html`<span class="face" title=${marks.join(" · ")}>${face}</span>`}
    ${role && html`<${RoleChip} role=${role} />`}
    ${told && html`<${Told} told=${told} />`}
    ${votes ? html`<span class="tally">${votes}</span>` : null}
    ${hushed && html`<span class="hushed" title=${say("seat.silenced")}><${Icon} name="hush" /></span>`}
    <span class="name"><bdi>${seat === state.me ? say("seat.you") : each.name ?? ""}</bdi>
      ${gone && html`<small>${say(`seat.short_${gone.how}`, { day: gone.day })}</small>`}</span>
  </li>`;
}

/** What a seat says of itself, true or not. */
function Told({ told }) {
  const { named } = useWords();
  const checks = Object.entries(told.checks).slice(-3);
  return html`<span class="told" aria-hidden="true">${told.role && html`<b class=${`role-${told.role}`}>${named("glyph", told.role)}</b>`}
    ${checks.map(([seat, what]) => html`<i key=${seat} class=${what}>${seat}${{ killer: "✗", not_killer: "✓" }[what] ?? "?"}</i>`)}</span>`;
}

/** Who speaks in which order, and who has; how many last words are left. */
function Order({ state }) {
  const { say, seat } = useWords();
  const quota = state.game.words.quota;
  const next = awaited(state);
  const speaks = state.speakers.length > 1 && !state.night && !state.outcome;
  return html`<div class="order">${speaks && html`<ol aria-label=${say("now.order")}>${state.speakers.map((each) => html`<li key=${each} class=${state.spoken.includes(each) ? "spoken" : each === next ? "awaited" : ""}
      aria-current=${each === state.speech?.by ? "true" : undefined} aria-label=${seat(each)}><${Badge} seat=${each} /></li>`)}</ol>`}
    ${quota > 0 && !state.outcome && html`<small>${say("now.words", { used: state.words, quota })}</small>`}</div>`;
}

/** From the middle of the table to the speaker. */
function Beam({ to: [x, y], hue }) {
  const [cx, cy] = MIDDLE;
  const long = Math.hypot(x - cx, y - cy);
  const [ax, ay] = [(-(y - cy) / long) * 7, ((x - cx) / long) * 7];
  return html`<polygon class="beam" style=${{ "--hue": hue }} points=${`${x},${y} ${cx + ax},${cy + ay} ${cx - ax},${cy - ay}`} />`;
}

/** Votes and deeds as arrows, from who acts to whom it concerns. */
function Arrows({ state, at }) {
  const arrows = [];
  if (state.ballot) {
    for (const [voter, target] of Object.entries(state.ballot.votes)) {
      if (target) arrows.push({ from: Number(voter), to: target, kind: "vote", hue: hueOf(target) });
    }
  } else if (state.night) {
    for (const { by, target, action } of state.deeds) {
      if (target) for (const seat of by) arrows.push({ from: seat, to: target, kind: action, hue: 0 });
    }
  }
  return arrows.map(({ from, to, kind, hue }) => html`<${Arrow} key=${`${kind}${from}-${to}`} from=${at(from)} to=${at(to)}
    self=${from === to} kind=${kind} hue=${hue} />`);
}

const CLEAR = 6.2;

function Arrow({ from: [x0, y0], to: [x1, y1], self, kind, hue }) {
  const style = { "--hue": hue };
  if (self) return html`<circle class=${`arrow ${kind}`} style=${style} cx=${x0} cy=${y0} r=${CLEAR} />`;
  const bend = [(x0 + x1) / 2 * 0.65 + MIDDLE[0] * 0.35, (y0 + y1) / 2 * 0.65 + MIDDLE[1] * 0.35];
  const [sx, sy] = towards([x0, y0], bend, CLEAR);
  const [ex, ey] = towards([x1, y1], bend, CLEAR + 1);
  const angle = Math.atan2(y1 - bend[1], x1 - bend[0]);
  const wing = (turn) => `${ex - 2.6 * Math.cos(angle + turn)},${ey - 2.6 * Math.sin(angle + turn)}`;
  return html`<g class=${`arrow ${kind}`} style=${style}>
    <path d=${`M${sx},${sy} Q${bend[0]},${bend[1]} ${ex},${ey}`} />
    <polygon points=${`${ex + 0.8 * Math.cos(angle)},${ey + 0.8 * Math.sin(angle)} ${wing(0.5)} ${wing(-0.5)}`} />
  </g>`;
}

function towards([x, y], [tx, ty], step) {
  const long = Math.hypot(tx - x, ty - y) || 1;
  return [x + ((tx - x) / long) * step, y + ((ty - y) / long) * step];
}

/** What happens now: over the middle of the table on a desk, under it on a phone. */
function Now({ state, live }) {
  const words = useWords();
  const { say, lang } = words;
  const judge = state.judge?.said[lang];
  const heard = (state.current && told(state.current, words)) || judge || say("now.begin");
  const now = live && state.night ? say("now.asleep") : heard;  // a call is nobody's question, and comes late
  const icon = state.night ? "moon" : "sun";
  const dealing = state.phase === "deal";
  const when = dealing ? say("stage.deal") : say(state.night ? "now.night" : "now.day", { day: state.day });
  const what = state.outcome ? words.named("winner", state.outcome.winner) : when;
  const stage = !state.outcome && !state.night && !dealing && words.named("stage", state.stage);
  return html`<div class="now">
    <p class="when"><${Icon} name=${icon} /> <strong>${what}</strong>${stage && html` <span>${stage}</span>`}</p>
    <${Order} state=${state} />
    <${Scrolled} key=${state.current?.n}>
      ${state.speech ? html`<${Bubble} frame=${state.speech} />`
        : state.ballot ? html`<${Ballot} ballot=${state.ballot} judge=${state.current?.kind !== "ballots" && state.current?.kind !== "hand" ? judge : null} />`
        : state.outcome ? html`<${Verdict} state=${state} />`
        : html`<p class="judged">${now}</p>
            ${state.night && html`<${Deeds} state=${state} />`}`}
    </${Scrolled}>
  </div>`;
}

function Scrolled({ children }) {
  const box = useRef(null);
  useEffect(() => { if (box.current) box.current.scrollTop = 0; }, []);
  return html`<div class="what" ref=${box} tabindex="-1">${children}</div>`;
}

/** A speech: its words are the speaker's own, shown as they are and kept within their box. */
export function Bubble({ frame }) {
  const { say, named, seat, claim } = useWords();
  const kind = frame.kind === "last_words" ? "last_words" : frame.stage;
  const note = kind === "round" ? "" : named("said", kind);
  return html`<blockquote class=${`bubble ${kind}`} style=${{ "--hue": hueOf(frame.by) }}>
    <header><${Badge} seat=${frame.by} /> <strong>${seat(frame.by)}</strong> ${note && html`<em>${note}</em>`}</header>
    ${frame.text ? html`<p dir="auto" class="words"><${Termed} text=${frame.text} /></p>` : html`<p class="pass">${say("said.pass")}</p>`}
    ${frame.claims?.length > 0 && html`<ul class="claims">${frame.claims.map((each, place) => html`<li key=${place}>${claim({ ...each, by: frame.by })}</li>`)}</ul>`}
  </blockquote>`;
}

/** The ballot as the rules show it: who voted for whom, or the totals alone. */
export function Ballot({ ballot, judge }) {
  const { say } = useWords();
  const rows = totals(ballot);
  const voters = (target) => Object.entries(ballot.votes).filter(([, to]) => to === target).map(([by]) => Number(by));
  const abstained = voters(null);
  const most = rows[0]?.[1] ?? 1;
  return html`<div class="ballot">
    ${judge && html`<p class="judged">${judge}</p>`}
    <table><caption>${say("ballot.label")}</caption><tbody>
      ${rows.map(([seat, count]) => html`<tr key=${seat}><th scope="row"><${Badge} seat=${seat} /></th>
        <td class="share"><span style=${{ width: `${(100 * count) / most}%`, "--hue": hueOf(seat) }}></span></td>
        <td class="count">${count}</td>
        <td class="who">${voters(seat).map((by) => html`<${Badge} key=${by} seat=${by} />`)}</td></tr>`)}
      ${(abstained.length > 0 || ballot.abstained > 0) && html`<tr class="none"><th scope="row" colspan="2">${say("ballot.abstained")}</th>
        <td class="count">${abstained.length || ballot.abstained}</td><td class="who">${abstained.map((by) => html`<${Badge} key=${by} seat=${by} />`)}</td></tr>`}
      ${ballot.void.length > 0 && html`<tr class="none"><th scope="row" colspan="2">${say("ballot.void")}</th>
        <td class="count">${ballot.void.length}</td><td class="who">${ballot.void.map((by) => html`<${Badge} key=${by} seat=${by} />`)}</td></tr>`}
      ${rows.length === 0 && html`<tr><td>${say("ballot.nobody")}</td></tr>`}
    </tbody></table>
  </div>`;
}

/** How it ended, and who held which card as far as these eyes know. */
function Verdict({ state }) {
  const { say, role: name, lang } = useWords();
  const held = Object.keys(state.game.counts).map((role) => [role, Object.keys(state.roles).filter((seat) => state.roles[seat] === role).map(Number)]);
  return html`<div class="verdict-card"><p class="judged">${state.verdict?.said[lang]}</p>
    <dl>${held.filter(([, seats]) => seats.length).map(([role, seats]) => html`<div key=${role}><dt><${RoleChip} role=${role} /> ${name(role)}</dt>
      <dd>${seats.map((seat) => html`<${Badge} key=${seat} seat=${seat} />`)}</dd></div>`)}</dl></div>`;
}

/** The night's deeds that these eyes know. */
function Deeds({ state }) {
  const { say, named } = useWords();
  const known = state.deeds.filter((each) => each.action !== "stated");
  if (!known.length) return null;
  return html`<ul class="deeds">${known.map(({ action, by, target }, place) => html`<li key=${place} class=${action}>
    ${by.map((seat) => html`<${Badge} key=${seat} seat=${seat} />`)} <b>${named("deed", action)}</b> ${target ? html`<${Badge} seat=${target} />` : say("deed.nobody")}</li>`)}</ul>`;
}
