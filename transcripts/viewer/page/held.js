// The page of one file: it holds its game and its words.

import { read } from "./harmless.js";
import { html } from "./vendor/htm-preact.js";
import { show } from "./page.js";
import { Replay } from "./replay.js";

const held = read(document.getElementById("held").textContent);
const game = held.document;
show(held.words, game.game.lang === "zh" ? "zh" : "en", ({ menu }) => html`<${Replay} document=${game} blind=${held.blind} menu=${menu} />`);
