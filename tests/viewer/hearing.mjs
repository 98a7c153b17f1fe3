// Runs what standard input asks of the page's pure parts, and tells the results.
import { readFileSync } from "node:fs";
import { EMPTY, answerOf, heard, left, length } from "../../transcripts/viewer/page/room.js";
import { read } from "../../transcripts/viewer/page/harmless.js";
import { eventsOf } from "../../transcripts/viewer/page/wire.js";
import { changed, seated } from "../../transcripts/viewer/page/more.js";
import { placeOf } from "../../transcripts/viewer/page/table.js";

async function parsed(chunks) {
  const found = [];
  for await (const event of eventsOf((async function* () { yield* chunks; })())) found.push(event);
  return found;
}

const asked = JSON.parse(readFileSync(0, "utf8"));
const acts = {
  room: ({ messages }) => messages.reduce((room, message) => heard(room, message, 1000), EMPTY),
  stream: ({ chunks }) => parsed(chunks),
  answer: ({ ask, draft, pass }) => answerOf(ask, draft, pass),
  left: ({ ask, ahead, here }) => left(ask, ahead, here),
  read: ({ json }) => read(json),
  length: ({ text }) => length(text),
  place: ({ place, places, direction, flat }) => placeOf(place, places, direction, flat),
  rules: ({ rules, chosen, size }) => changed(rules, chosen, size),
  seats: ({ marks, people, size }) => seated(marks, people, size),
};
process.stdout.write(JSON.stringify(await Promise.all(asked.map((each) => acts[each.act](each)))));
