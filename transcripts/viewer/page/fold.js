// The table as it stands after some frames, folded from them and from nothing else. Pure: no page, no clock.

/** Whether these eyes may see a frame. A seat's own stream has no audiences: all of it may be seen. */
export function sees(eyes, frame) {
  if (eyes === "truth" || frame.audience === undefined || frame.audience === "public") return true;
  return frame.audience.includes(eyes);
}

/** The table before its first frame. */
export function opened(game, eyes) {
  const seats = game.seats.map((each) => each.seat);
  const state = {
    game, eyes, day: 1, phase: "deal", stage: "deal", night: false,
    living: seats, dead: {}, silenced: [], order: [], speakers: [], spoken: [], candidates: [],
    current: null, judge: null, speech: null, ballot: null, deeds: [], outcome: null,
    votes: [], claims: [], told: {}, words: 0,
    uncalled: false, roles: {}, sides: {}, checks: [], acts: [], mates: [], needles: {}, note: "",
    me: typeof eyes === "number" ? eyes : null,
  };
  if (eyes === "truth") {
    for (const { seat, role, side } of game.seats) {
      state.roles[seat] = role;
      state.sides[seat] = side;
    }
  }
  return state;
}

/** The table after all frames up to number `upto` that these eyes may see. */
export function folded(game, frames, eyes, upto = Infinity) {
  const state = opened(game, eyes);
  for (const frame of frames) {
    if (frame.n > upto) break;
    if (sees(eyes, frame)) fold(state, frame);
  }
  return state;
}

/** Who speaks next, or speaks now, in the present stage; null where nobody is awaited. */
export function awaited(state) {
  return state.speakers.find((seat) => !state.spoken.includes(seat) && !state.silenced.includes(seat)) ?? null;
}

/** Votes for each candidate, most first. */
export function totals(ballot) {
  const counts = new Map();
  if (ballot.totals) for (const [seat, count] of Object.entries(ballot.totals)) counts.set(Number(seat), count);
  else for (const target of Object.values(ballot.votes)) if (target) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a - b);
}

function fold(state, frame) {
  state.day = frame.day;
  state.phase = frame.phase;
  state.current = frame;
  const change = CHANGES[frame.kind];
  if (change) change(state, frame);
  if (JUDGED.has(frame.kind) && frame.said?.en) state.judge = frame;
}

const JUDGED = new Set(["called", "dawn", "silenced", "tied", "voted_out", "reminder", "demanded", "over", "revealed"]);

const CHANGES = {
  role(state, frame) {
    const seat = owner(state, frame);
    if (seat === null) return;
    state.roles[seat] = frame.role;
    state.sides[seat] = frame.side;
  },
  mates(state, frame) {
    const role = frame.seats.map((seat) => state.roles[seat]).find(Boolean);
    for (const seat of frame.seats) if (role) state.roles[seat] = role;
    if (frame.seats.includes(state.me)) state.mates = frame.seats.filter((seat) => seat !== state.me);
  },
  handicap(state, frame) {
    Object.assign(state.roles, frame.roles);
  },
  called(state, { stage, seats }) {
    if (!stage) return;
    if (stage === "hands") {
      state.candidates = state.candidates.length ? state.candidates : seats;
      return;
    }
    state.stage = stage;
    state.speech = null;
    state.ballot = null;
    state.night = stage === "night";
    if (stage === "night") {
      Object.assign(state, { silenced: [], order: [], speakers: [], spoken: [], candidates: [], deeds: [] });
    } else if (stage === "speeches" || stage === "defence") {
      Object.assign(state, { order: seats, speakers: seats, spoken: [], candidates: [] });
    } else if (["pk", "off_field", "revote", "last_words"].includes(stage)) {
      Object.assign(state, { speakers: seats, spoken: [] });
    } else {
      state.speakers = [];
    }
  },
  dawn(state, frame) {
    state.night = false;
    state.speech = null;
    leave(state, frame.dead, "night", frame.causes);
    for (const [seat, role] of Object.entries(frame.revealed ?? {})) learn(state, seat, role);
  },
  silenced(state, { seats }) {
    state.silenced = seats;
  },
  speech: spoke,
  last_words(state, frame) {
    spoke(state, frame);
    state.words = frame.number;
  },
  hand(state, { by, candidate }) {
    const ballot = state.ballot ?? { day: state.day, stage: "round", votes: {}, abstained: 0, void: [] };
    state.ballot = { ...ballot, votes: { ...ballot.votes, [by]: candidate } };
  },
  ballots(state, frame) {
    const last = state.votes.at(-1);
    const stage = frame.stage ?? "round";
    if (state.uncalled) state.stage = "vote";
    const joins = state.stage === "defence" && !frame.totals && last?.day === frame.day && last.stage === stage;
    const ballot = {
      n: frame.n, day: frame.day, stage,
      votes: { ...(joins ? last.votes : {}), ...(frame.ballots ?? {}) },
      totals: frame.totals ?? null,
      abstained: frame.abstained ?? 0,
      void: [...(joins ? last.void : []), ...(frame.void ?? [])],
    };
    if (joins) state.votes.pop();
    state.votes.push(ballot);
    state.ballot = ballot;
    if (state.stage !== "defence") state.speech = null;
  },
  tied(state, { seats, next }) {
    state.candidates = seats;
    if (state.votes.length) state.votes.at(-1).result = { tied: seats, next };
  },
  voted_out(state, { seat, revealed }) {
    leave(state, [seat], "vote");
    state.speech = null;
    if (revealed) learn(state, seat, revealed);
    if (state.votes.length) state.votes.at(-1).out = seat;
  },
  stated(state, { by, target, text, round }) {
    state.deeds.push({ action: "stated", by: [by], target, text, round });
  },
  agreed(state, frame) {
    const by = Array.isArray(frame.audience) ? frame.audience : [state.me, ...state.mates];
    deed(state, frame, by.filter((seat) => state.living.includes(seat)));
  },
  acted(state, frame) {
    deed(state, frame, [owner(state, frame)]);
  },
  checked(state, { day, target, answer }) {
    state.checks.push({ night: day, target, answer });
    if (state.eyes !== "truth") noteCheck(state, target, answer);
  },
  needled(state, frame) {
    const seat = owner(state, frame);
    if (seat !== null) state.needles[seat] = frame.total;
  },
  resolved(state, frame) {
    state.needles = { ...frame.needles };
    state.reckoning = frame;
  },
  note(state, frame) {
    if (owner(state, frame) === state.me) state.note = frame.text;
  },
  over(state, frame) {
    state.outcome = { winner: frame.winner, reason: frame.reason };
    Object.assign(state, { night: false, stage: "over", speech: null, ballot: null, candidates: [], verdict: frame });
  },
  foreign(state, { data }) {
    if (Array.isArray(data.out)) leave(state, data.out, "other");
  },
  revealed(state, { roles }) {
    roles.forEach((role, place) => { state.roles[place + 1] = role; });
  },
};

/** The seat that a private frame is told to: the audience's first, or the eyes themselves. */
function owner(state, frame) {
  return Array.isArray(frame.audience) && state.eyes === "truth" ? (frame.audience[0] ?? null) : state.me;
}

function leave(state, seats, how, causes) {
  for (const seat of seats) state.dead[seat] = { day: state.day, how, causes: causes?.[seat] ?? null };
  state.living = state.living.filter((seat) => !seats.includes(seat));
}

function spoke(state, frame) {
  opens(state, frame);
  state.spoken = [...state.spoken, frame.by];
  state.speech = frame;
  state.ballot = state.stage === "defence" ? state.ballot : null;
  for (const claim of frame.claims ?? []) {
    state.claims.push({ ...claim, n: frame.n, by: frame.by, day: frame.day });
    tell(state, frame.by, claim);
  }
}

/** Another arena's judge calls no speeches: that they have begun, and of which kind they are, a speech tells itself. */
function opens(state, { kind, stage }) {
  if (kind !== "speech") return;
  if (state.stage === "night" || state.stage === "deal") state.uncalled = true;
  if (state.uncalled) state.stage = stage && stage !== "round" ? stage : "speeches";
}

/** What each seat says of itself: which card, and whom it checked with which answer; taken back, it is gone. */
function tell(state, by, { kind, seat, what }) {
  const told = state.told[by] ?? { role: null, checks: {} };
  if (kind === "retract" && seat === by) delete state.told[by];
  else if (kind === "role" && seat === by) state.told[by] = { ...told, role: what };
  else if (kind === "check") state.told[by] = { role: told.role ?? "police", checks: { ...told.checks, [seat]: what } };
}

function deed(state, { day, action, target }, by) {
  state.deeds.push({ action, by, target });
  if (state.eyes !== "truth") state.acts.push({ night: day, action, target });
}

function noteCheck(state, target, answer) {
  const shown = { nod: "killer", shake: "not_killer", none: null, no_check: null };
  const role = answer in shown ? shown[answer] : answer;
  if (role) learn(state, target, role);
}

const VAGUE = ["not_killer", "good"];

/** A card is known better than a side, and a side better than that one is no killer. */
function learn(state, seat, role) {
  const worth = (name) => (name ? 1 + (VAGUE.indexOf(name) + 1 || 1 + VAGUE.length) : 0);
  if (worth(role) >= worth(state.roles[seat])) state.roles[seat] = role;
}
