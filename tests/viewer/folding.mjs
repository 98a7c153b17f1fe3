// Folds documents from standard input and tells what the table is after every frame.
import { folded, sees, totals } from "../../transcripts/viewer/page/fold.js";
import { readFileSync } from "node:fs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const told = asked.map(({ document: { game, frames }, eyes }) =>
  frames.filter((frame) => sees(eyes, frame)).map((frame) => {
    const state = folded(game, frames, eyes, frame.n);
    return {
      day: state.day, phase: state.phase, living: state.living, dead: state.dead, silenced: state.silenced, night: state.night,
      speakers: state.speakers, candidates: state.candidates, words: state.words, outcome: state.outcome, roles: state.roles,
      checks: state.checks, mates: state.mates, note: state.note, claims: state.claims.length, by: state.speech?.by ?? null,
      stage: state.stage, votes: state.votes.map(({ day, stage, votes, totals: read }) => ({ day, stage, votes, totals: read })),
      most: state.votes.map((vote) => totals(vote)),
    };
  }));
process.stdout.write(JSON.stringify(told));
