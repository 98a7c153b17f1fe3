// The page that a server sends: it asks for its words first.

import { Live } from "./live.js";
import { show } from "./page.js";

const browser = navigator.languages.some((each) => each.startsWith("zh")) ? "zh" : "en";
fetch("/page/words.json").then((response) => response.json()).then((texts) => show(texts, browser, Live));
