// What every page has: its language and its light, which can be changed at any time.

import { html, render, useEffect, useState } from "./vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { Speaking, tongue } from "./words.js";

const LIGHTS = ["auto", "light", "dark"];

/** A choice that this browser remembers, where it may. */
export function remembered(name, usual) {
  try {
    return localStorage.getItem(`tianhei.${name}`) ?? usual;
  } catch {
    return usual;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`tianhei.${name}`, value);
  } catch {
    // nothing is kept, and nothing is lost
  }
}

function Page({ texts, usual, Face }) {
  const [lang, setLang] = useState(remembered("lang", usual));
  const [light, setLight] = useState(remembered("light", "auto"));
  const words = tongue(texts, lang in texts ? lang : "en");
  const { say } = words;
  useEffect(() => {
    document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
    document.title = say("page.title");
    remember("lang", lang);
  }, [lang]);
  useEffect(() => {
    document.documentElement.dataset.light = light;
    remember("light", light);
  }, [light]);
  const menu = html`<div class="menu">
    <button type="button" class="lang" onClick=${() => setLang(lang === "zh" ? "en" : "zh")} lang=${lang === "zh" ? "en" : "zh-CN"}>${say("page.other")}</button>
    <button type="button" class="light" onClick=${() => setLight(LIGHTS[(LIGHTS.indexOf(light) + 1) % LIGHTS.length])} title=${say(`page.light_${light}`)} aria-label=${say(`page.light_${light}`)}><${Icon} name=${light === "auto" ? "half" : light === "light" ? "sun" : "moon"} /></button>
  </div>`;
  return html`<${Speaking} value=${words}>
    <${Face} menu=${menu} />
  </${Speaking}>`;
}

/** Show a page; `Face` gets the menu, `usual` is the language where none was chosen. */
export function show(texts, usual, Face) {
  render(html`<${Page} texts=${texts} usual=${usual} Face=${Face} />`, document.body);
}
