// The record: every event as a line, by days, searched, and with what was thought where these eyes may know it.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { Ballot, Bubble } from "./table.js";
import { Termed } from "./terms.js";
import { told, useWords } from "./words.js";

/** All that can be searched of a frame, in both languages. */
function searched(frame, words) {
  const own = [frame.by && words.seat(frame.by), frame.text, ...Object.values(frame.said ?? {})];
  const claims = (frame.claims ?? []).map((claim) => words.claim({ ...claim, by: frame.by }));
  return [...own, ...claims].filter(Boolean).join("\n").toLowerCase();
}

export function Record({ frames, now, go, thoughts }) {
  const words = useWords();
  const { say } = words;
  const [asked, setAsked] = useState("");
  const find = asked.trim().toLowerCase();
  const texts = useMemo(() => new Map(frames.map((frame) => [frame.n, searched(frame, words)])), [frames, words.lang]);
  const shown = find ? frames.filter((frame) => texts.get(frame.n).includes(find)) : frames;
  const list = useRef(null);
  const left = useRef(false);
  const put = useRef(0);
  useEffect(() => {
    const look = () => {
      const line = list.current?.querySelector('[aria-current="true"]') ?? (go ? null : list.current?.lastElementChild);
      if (!line || find || left.current) return;
      keepInSight(list.current, line);
      put.current = list.current.scrollTop;
    };
    look();
    const room = new ResizeObserver(look);  // a question takes the record's place, and gives it back
    room.observe(list.current);
    return () => room.disconnect();
  }, [now, find, frames.length]);
  /** Whoever reads further up is left there, until back at the end. */
  const scrolled = ({ currentTarget: box }) => {
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    left.current = !go && below > 24 && box.scrollTop < put.current - 24;
  };
  return html`<div class="record">
    <label class="search"><${Icon} name="find" /><span class="unseen">${say("record.search")}</span>
      <input id="search" type="search" value=${asked} placeholder=${say("record.search")} autocomplete="off"
        onInput=${(event) => setAsked(event.target.value)} />
      ${find && html`<output>${say("record.found", { count: shown.length })}</output>`}</label>
    <ol class="lines" ref=${list} onScroll=${scrolled}>${shown.map((frame) => html`<${Line} key=${frame.n} frame=${frame} now=${frame.n === now} go=${go} thoughts=${thoughts?.(frame)} />`)}</ol>
  </div>`;
}

function keepInSight(list, line) {
  const [top, bottom] = [line.offsetTop - list.offsetTop, line.offsetTop - list.offsetTop + line.offsetHeight];
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = Math.min(top, bottom - list.clientHeight + 8);
}

function Line({ frame, now, go, thoughts }) {
  const words = useWords();
  const { say } = words;
  const parts = body(frame, words);
  if (!parts) return null;
  const heading = headingOf(frame);
  const privately = Array.isArray(frame.audience) ? "private" : "";
  return html`<li class=${`line ${frame.kind} ${privately}`} aria-current=${now ? "true" : undefined} id=${`e${frame.n}`}>
    ${heading && html`<h3>${say(`now.${heading}`, { day: frame.day })}</h3>`}
    ${go && html`<button type="button" class="jump" onClick=${() => go(frame.n)} aria-label=${say("record.jump", { n: frame.n })}>${frame.n}</button>`}
    <div class="body">${parts}${thoughts?.length > 0 && html`<${Thoughts} thoughts=${thoughts} />`}</div>
  </li>`;
}

function headingOf({ kind, stage }) {
  if (kind === "called" && stage === "night") return "night";
  if (kind === "dawn" || (kind === "called" && stage === "defence")) return "day";
  return null;
}

/** What the judge calls out to the whole table is a question to nobody who reads it. */
const CALLS = new Set(["called", "reminder"]);

function body(frame, words) {
  switch (frame.kind) {
    case "speech":
    case "last_words":
      return html`<${Bubble} frame=${frame} />`;
    case "ballots":
      if (Object.keys(frame.ballots ?? {}).length + (frame.void?.length ?? 0) === 1 && !frame.totals) return html`<p>${told(frame, words)}</p>`;
      return html`<${Ballot} ballot=${{ ...frame, votes: frame.ballots ?? {}, totals: frame.totals ?? null, abstained: frame.abstained ?? 0, void: frame.void ?? [] }} />`;
    case "note":
      return html`<p class="note"><em>${words.say("record.note", { seat: Array.isArray(frame.audience) ? words.seats(frame.audience.slice(0, 1)) : words.say("seat.you") })}</em> <q dir="auto">${frame.text}</q></p>`;
    case "stated":
      return html`<p>${told(frame, words)} ${frame.text && html`<q dir="auto">${frame.text}</q>`}</p>`;
    case "drawn":
      return frame.purpose === "deal" ? null : html`<p>${told(frame, words)}</p>`;
    default: {
      const text = told(frame, words);
      return text ? html`<p>${CALLS.has(frame.kind) && html`<${Icon} name="gavel" /> `}<${Termed} text=${text} /></p>` : null;
    }
  }
}

/** Who gave the replies that led here, and what they thought; closed until it is asked for. */
function Thoughts({ thoughts }) {
  const { say, seat, has } = useWords();
  const source = (name) => (has(`source.${name}`) ? say(`source.${name}`) : name);
  return html`<details class="thoughts"><summary>${say("record.thoughts", { count: thoughts.length })}</summary>
    ${thoughts.map((each) => html`<div key=${each.request} class="thought">
      <strong>${seat(each.seat)}</strong> <small>${source(each.source)}</small>
      ${each.thought && html`<p dir="auto">${each.thought}</p>`}
      ${each.reasoning && html`<details><summary>${say("record.reasoning")}</summary><p dir="auto">${each.reasoning}</p></details>`}
    </div>`)}</details>`;
}
