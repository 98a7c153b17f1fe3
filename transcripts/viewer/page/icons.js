// Small drawings in the colour of the text around them.

import { html } from "./vendor/htm-preact.js";

const PATHS = {
  moon: "M15 3a9 9 0 1 0 6 15A8 8 0 0 1 15 3z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M20 4l-2 2M6 18l-2 2",
  hush: "M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12",
  play: "M7 4v16l13-8z",
  pause: "M7 4h3v16H7zM14 4h3v16h-3z",
  back: "M15 4l-8 8 8 8",
  on: "M9 4l8 8-8 8",
  first: "M6 4v16M18 4l-9 8 9 8",
  last: "M18 4v16M6 4l9 8-9 8",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  find: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 2",
  half: "M12 3a9 9 0 1 0 0 18z M12 3a9 9 0 0 1 0 18",
  gavel: "M13 3l6 6M11 5l6 6M14 8l-9 9 2 2 9-9M4 21h9",
  link: "M9 15l6-6M8 11l-3 3a4 4 0 0 0 5 5l3-3M16 13l3-3a4 4 0 0 0-5-5l-3 3",
};

const FILLED = new Set(["moon", "play", "pause"]);

/** A drawing by its name; it says nothing to a screen reader. */
export function Icon({ name }) {
  return html`<svg class=${`icon ${FILLED.has(name) ? "filled" : ""}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${PATHS[name]} />
  </svg>`;
}
