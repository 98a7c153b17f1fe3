// What others wrote, without the letters that steer what stands around them.

/** Control letters, and those that turn the direction of what follows; a terminal shows none of them either. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text as a page may show it. */
export function harmless(text) {
  return text.replace(UNSEEN, "\ufffd");
}

/** Data in JSON, its texts harmless. */
export function read(text) {
  return JSON.parse(text, (name, value) => (typeof value === "string" ? harmless(value) : value));
}
