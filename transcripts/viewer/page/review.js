// Looking back on a game that is over: how the chances stood over time, where it turned, and who looked how suspicious.

import { html } from "./vendor/htm-preact.js";
import { Badge, RoleChip } from "./table.js";
import { useWords } from "./words.js";

const percent = (share) => Math.round(100 * share);

/** The name of a moment: of its stage, and of a later vote of the same day by its number. */
function nameOf(group, { stage, day, number }, { has, say }) {
  const name = stage === "vote" && number > 1 ? "vote_again" : stage;
  return say(`${group}.${has(`${group}.${name}`) ? name : "day"}`, { day, number });
}

/** The chances of a game, `"pending"` while they are being reckoned; `at` is the number of the frame that is shown. */
export function Review({ chances, state, at, go }) {
  const words = useWords();
  const { say } = words;
  if (chances === "pending") return html`<p class="empty" role="status">${say("review.pending")}</p>`;
  const { moments, turning, games } = chances;
  const chosen = Math.max(0, moments.findLastIndex(({ n }) => n <= at));
  const moment = moments[chosen];
  return html`<section class="review" aria-label=${say("tab.review")}>
    ${turning !== null && html`<p class="turned">${turned(moments[turning], moments[turning + 1], words)} <button type="button" class="plain" onClick=${() => go(moments[turning].n)}>${say("review.go")}</button></p>`}
    <${Chances} moments=${moments} chosen=${chosen} turning=${turning} go=${go} />
    <p class="then"><b>${nameOf("moment", moment, words)}</b> ${say(moment.error ? "review.share_about" : "review.share", { share: percent(moment.share), error: percent(moment.error) })}</p>
    <p class="small">${say("review.games", { games })}</p>
    <${Suspicion} moment=${moment.stage === "end" && chosen > 0 ? moments[chosen - 1] : moment} state=${state} />
  </section>`;
}

/** Where the game turned; or where it moved most, if that step may well be chance. */
function turned(moment, next, words) {
  const clear = Math.abs(next.share - moment.share) > 2 * Math.hypot(moment.error, next.error);
  const slots = { before: percent(moment.share), after: percent(next.share) };
  return words.say(clear ? "review.turned" : "review.moved", { moment: nameOf("turned", moment, words), ...slots });
}

/** A line from moment to moment, each with a button that leads there. */
function Chances({ moments, chosen, turning, go }) {
  const words = useWords();
  const { say } = words;
  const across = (place) => (100 * (place + 0.5)) / moments.length;
  const points = moments.map(({ share }, place) => `${across(place)},${100 - 100 * share}`);
  return html`<figure class="chances"><figcaption>${say("review.chances")}</figcaption>
    <div class="plot">
      <span class="scale" aria-hidden="true"><i>100</i><i>50</i><i>0</i></span>
      <div class="field">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          ${moments.map(({ stage }, place) => stage === "night" && html`<rect key=${place} x=${across(place)} width=${100 / moments.length} y="0" height="100" />`)}
          <path class="half" d="M0 50H100" />
          <polyline points=${points.join(" ")} />
          ${turning !== null && html`<polyline class="turn" points=${points.slice(turning, turning + 2).join(" ")} />`}
        </svg>
        <ol>${moments.map((moment, place) => html`<li key=${place}><button type="button" aria-current=${place === chosen ? "step" : undefined} onClick=${() => go(moment.n)}
          aria-label=${say("review.point", { moment: nameOf("moment", moment, words), share: percent(moment.share) })}><i style=${{ top: `${100 - 100 * moment.share}%` }}></i></button>
          ${moment.stage === "night" && html`<small aria-hidden="true">${moment.day}</small>`}</li>`)}</ol>
      </div>
    </div></figure>`;
}

/** How likely each seat that lived then was a killer, to somebody who heard what all heard; at the end all see the cards. */
function Suspicion({ moment, state }) {
  const words = useWords();
  const { say, seat: seatName } = words;
  const { killer, method } = moment.public;
  return html`<h3>${say("review.suspicion", { moment: nameOf("moment", moment, words) })}</h3>
    <table class="suspicion"><caption class="small">${say("review.observer", { method: say(`review.${method}`) })}</caption><tbody>
      ${state.game.seats.map(({ seat }) => html`<tr key=${seat} class=${seat in killer ? "" : "gone"}>
        <th scope="row" aria-label=${seatName(seat)}><${Badge} seat=${seat} /> ${state.roles[seat] && html`<${RoleChip} role=${state.roles[seat]} />`}</th>
        <td class="bar-cell">${seat in killer && html`<span style=${{ width: `${percent(killer[seat])}%` }}></span>`}</td>
        <td class="figure">${seat in killer ? say("review.percent", { share: percent(killer[seat]) }) : say("review.gone")}</td></tr>`)}
    </tbody></table>`;
}
