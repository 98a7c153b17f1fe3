// Two quiet tones, for whoever switched them on: it is one's turn, and the time runs out.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { remember, remembered } from "./page.js";
import { left } from "./room.js";
import { useWords } from "./words.js";

const TONES = { turn: [523, 659], late: [440, 440] };
const LOUD = 0.06;
const LONG = 0.16;
const LATE = 10;

let device = null;

/** What plays; it is made by a gesture of the reader's own, and never before. */
function wake() {
  device ??= new AudioContext();
  if (device.state !== "running") device.resume();
}

function play(name) {
  if (device?.state !== "running") return;
  TONES[name].forEach((pitch, place) => {
    const [tone, quiet] = [device.createOscillator(), device.createGain()];
    const start = device.currentTime + place * LONG;
    tone.frequency.value = pitch;
    quiet.gain.setValueAtTime(0, start);
    quiet.gain.linearRampToValueAtTime(LOUD, start + 0.02);
    quiet.gain.linearRampToValueAtTime(0, start + LONG);
    tone.connect(quiet).connect(device.destination);
    tone.start(start);
    tone.stop(start + LONG);
  });
}

/** Whether tones are on, which this browser remembers, and the switch for it. */
export function useSound() {
  const [on, setOn] = useState(remembered("sound", "off") === "on");
  useEffect(() => {
    if (!on) return undefined;
    document.addEventListener("pointerdown", wake);
    document.addEventListener("keydown", wake);
    return () => {
      document.removeEventListener("pointerdown", wake);
      document.removeEventListener("keydown", wake);
    };
  }, [on]);
  const turn = () => {
    remember("sound", on ? "off" : "on");
    setOn(!on);
    if (on) return;
    wake();
    play("turn");
  };
  return { on, turn };
}

export function SoundSwitch({ sound: { on, turn } }) {
  const { say } = useWords();
  const name = say(on ? "page.sound_on" : "page.sound_off");
  return html`<button type="button" class="sound" aria-pressed=${on} title=${name} aria-label=${name} onClick=${turn}><${Icon} name=${on ? "sound" : "hush"} /></button>`;
}

/** Sound what is asked: once when it comes, and once when little time is left for it. */
export function useTones({ on }, ask, ahead, paused) {
  useEffect(() => {
    if (!on || !ask || paused) return undefined;
    play("turn");
    const seconds = left(ask, ahead, Date.now());
    if (seconds === null || seconds <= LATE) return undefined;
    const timer = setTimeout(() => play("late"), Math.min((seconds - LATE) * 1000, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }, [on, ask?.request, paused]);
}
