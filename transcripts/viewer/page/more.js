// What most tables leave as it is: the rules, the language, whose seat is whose.

import { html } from "./vendor/htm-preact.js";
import { Badge } from "./table.js";
import { useWords } from "./words.js";

/** The rules a host can change here, in the order of a game; the finer ones are the interface's alone. */
const RULES = [
  "setup13", "elder_side", "victory", "parity", "night_pass", "kill_teammate", "check_answer", "repeat_target", "announce_causes", "announce_needles",
  "reveal_at_dawn", "last_words", "executed_last_words", "silenced_votes", "vote_form", "abstain", "self_vote", "tie", "final_tie", "round_pk", "reveal_on_vote", "max_days",
];
const PERSON = "person";

/** What the host changed, without what has no meaning beside it: what belongs to other games, sizes, or ways to settle a tie. */
export function changed(rules, chosen, size) {
  const value = (name) => chosen[name] ?? rules.find((each) => each.name === name)?.value;
  const kept = usable(rules, chosen, size).filter(({ name, value: usual }) => name in chosen && chosen[name] !== usual);
  // what a preset sets and the host's own choice makes void goes back to what it is without either
  const idle = rules.filter(({ value: usual, default: plain, needs }) => usual !== plain && Object.entries(needs).some(([other, needed]) => value(other) !== needed));
  return Object.fromEntries([...kept.map(({ name }) => [name, chosen[name]]), ...idle.map((each) => [each.name, each.default])]);
}

function usable(rules, chosen, size) {
  const value = (name) => chosen[name] ?? rules.find((each) => each.name === name)?.value;
  return RULES.map((name) => rules.find((each) => each.name === name)).filter((each) => each
    && Object.entries(each.needs).every(([other, needed]) => value(other) === needed) && (each.name !== "setup13" || size === 13));
}

/** Who sits where, as the host marked it: people's seats, or how many are drawn, and the bots of single seats. */
export function seated(marks, people, size) {
  const marked = Object.entries(marks).map(([seat, who]) => [Number(seat), who]).filter(([seat, who]) => seat <= size && who);
  const own = marked.filter(([, who]) => who === PERSON).map(([seat]) => seat);
  const bots = Object.fromEntries(marked.filter(([, who]) => who !== PERSON).map(([seat, who]) => [seat, who.slice(1)]));
  return { people: own.length ? own : people, bots };
}

export function More({ options, plan, size, change }) {
  const { say, has } = useWords();
  const rules = options.rules?.[plan.game] ?? [];
  const { chosen, marks } = plan;
  const valueName = (name, value) => (has(`choice.${name}_${value}`) ? say(`choice.${name}_${value}`) : say(`choice.${value}`));
  const rule = ({ name, value, allowed, most }) => {
    const now = chosen[name] ?? value;
    const put = (next) => change({ chosen: { ...chosen, [name]: next } });
    return html`<label key=${name} class=${now === value ? "" : "changed"}>${say(`option.${name}`)} ${most
      ? html`<input type="number" min="1" max=${most} value=${now} onInput=${({ target }) => put(Math.max(1, Math.min(most, Number(target.value) || value)))} />`
      : html`<select value=${allowed.indexOf(now)} onChange=${({ target }) => put(allowed[Number(target.value)])}>${allowed.map((each, place) => html`<option key=${place} value=${place}>${valueName(name, each)}</option>`)}</select>`}</label>`;
  };
  const seats = Array.from({ length: size }, (_, place) => place + 1);
  return html`<details class="more"><summary>${say("start.more")}</summary>
    <label>${say("start.lang")} <select value=${plan.lang} onChange=${({ target }) => change({ lang: target.value })}>${options.langs.map((each) => html`<option key=${each} value=${each}>${say(`tongue.${each}`)}</option>`)}</select></label>
    ${plan.spectators === "delayed" && html`<label>${say("start.delay")} <input type="number" min="5" max="1440" value=${plan.minutes} onInput=${({ target }) => change({ minutes: Number(target.value) })} /></label>`}
    <h3>${say("start.seats")}</h3><p class="small">${say("start.seats_how")}</p>
    <ul class="seating">${seats.map((seat) => html`<li key=${seat}><label><${Badge} seat=${seat} /><span class="unseen">${say("start.who")}</span> <select value=${marks[seat] ?? ""} onChange=${({ target }) => change({ marks: { ...marks, [seat]: target.value } })}>
      <option value="">${say("start.anyone")}</option><option value=${PERSON}>${say("start.person")}</option>${options.bots.map((each) => html`<option key=${each} value=${`=${each}`}>${each}</option>`)}</select></label></li>`)}</ul>
    ${rules.length > 0 && html`<h3>${say("start.rules")}</h3><p class="small">${say("start.rules_how")}</p>${usable(rules, chosen, size).map(rule)}`}
  </details>`;
}
