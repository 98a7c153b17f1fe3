// After the game: what people believed at night, how the dead marked, and who took whom for a bot.

import { html } from "./vendor/htm-preact.js";
import { Badge } from "./table.js";
import { useWords } from "./words.js";

const SURE = 0.5;

/** Whether a table kept anything of this kind. */
export function guessed(kept) {
  return Boolean(kept?.beliefs?.length || kept?.forecasts?.length || kept?.survey?.length);
}

export function Guesses({ kept: { beliefs = [], forecasts = [], survey = [] } }) {
  const { say } = useWords();
  return html`<section class="guesses" aria-label=${say("tab.guesses")}>
    ${beliefs.length > 0 && html`<h3>${say("guesses.beliefs")}</h3><${Beliefs} beliefs=${beliefs} />`}
    ${forecasts.length > 0 && html`<h3>${say("guesses.forecasts")}</h3><p class="small">${say("guesses.brier")}</p><${Forecasts} forecasts=${forecasts} />`}
    ${survey.length > 0 && html`<h3>${say("guesses.survey")}</h3><ul>${survey.map(({ seat, bots, right, wrong }) => html`<li key=${seat}><${Badge} seat=${seat} />
      <span>${bots.length ? bots.map((each) => html`<${Badge} key=${each} seat=${each} /> `) : say("guesses.nobody")}</span> <small>${say("guesses.scored", { right, wrong })}</small></li>`)}</ul>`}
  </section>`;
}

/** By nights, what each seat answered; right and wrong only where a belief can be. */
function Beliefs({ beliefs }) {
  const { say, named } = useWords();
  const nights = [...new Set(beliefs.map(({ day }) => day))];
  const mark = (right) => (right === null || right === undefined ? "" : html` <small class=${right ? "right" : "wrong"}>${say(right ? "guesses.right" : "guesses.wrong")}</small>`);
  return nights.map((night) => html`<h4 key=${night}>${say("now.night", { day: night })}</h4><ul>${beliefs.filter(({ day }) => day === night).map(({ seat, question, target, right, place }) => html`<li key=${`${seat}-${place}`}>
    <${Badge} seat=${seat} /> <span>${named("believed", question)}</span> ${target ? html`<${Badge} seat=${target} />` : say("guesses.nobody")}${mark(right)}</li>`)}</ul>`);
}

/** Each forecast: whom it held to be a killer, the likeliest first, and its score. */
function Forecasts({ forecasts }) {
  const { say } = useWords();
  const likely = (marks) => Object.entries(marks).sort(([, one], [, other]) => other - one).filter(([, share]) => share >= SURE);
  return html`<ul>${forecasts.map(({ day, seat, marks, brier }) => html`<li key=${`${day}-${seat}`}><${Badge} seat=${seat} /> <span>${say("now.day", { day })}</span>
    <span>${likely(marks).length ? likely(marks).map(([each, share]) => html`<span key=${each} class="pair"><${Badge} seat=${Number(each)} />${Math.round(100 * share)} %</span> `) : say("guesses.unsure")}</span>
    <small>${say("guesses.score", { score: brier.toFixed(2) })}</small></li>`)}</ul>`;
}
