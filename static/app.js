// Puts the page together: what is pressed goes to a speech, what happens is shown.

import { Player } from "./player.js";
import { Gateway } from "./socket.js";
import { Speech } from "./speech.js";
import { Transcript } from "./transcript.js";
import { readVoices } from "./voices.js";
import { lossWords, seconds } from "./words.js";

const PLAYED_MS = 250;
const RESERVE_SHOWN_S = 4; // a full bar
const ASK_MS = 300; // a context that is not running by then wants a click

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

let speech = null;
let voices = [];
let asking = 0; // timer
let longest = Infinity; // characters of a text, as the server allows

const transcript = new Transcript($("spoken"));

const player = new Player({
  capture: query.has("capture"),
  on: {
    state: showAudio,
    first: ({ line }) => {
      if (speech?.line !== line || speech.firstSoundMs !== null) return;
      speech.firstSoundMs = performance.now() + player.latencyMs - speech.pressedAt; // never flattering
      showFigures();
    },
    underrun: showFigures,
    finished: ({ line }) => speech?.finished(line),
    broken() {
      if (gateway.ready) showTrouble("The sound could not be started. Please reload the page."); // else: tried again
    },
  },
});

const address = new URL("ws", document.baseURI);
const key = query.get("api_key"); // where the server wants one, the page's own address carries it
if (key) address.searchParams.set("api_key", key);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";

const gateway = new Gateway(address, {
  ready(message) {
    showConnection("ready", "Connected");
    showTrouble(""); // it was the former connection's
    longest = message.limits?.max_context_chars ?? Infinity;
    showVoices(message.voices, message.default_voice);
    loadVoices();
    if (speech?.state === "waiting") resume();
  },
  lost(code, reason) {
    showConnection("lost", lossWords(code, reason));
    if (speech?.lose()) showStatus("The rest will be spoken when the connection is back.");
  },
  message(message) {
    if (message.context !== undefined && message.context !== speech?.line) return; // of a speech that was stopped
    if (message.context !== undefined) speech.receive(message);
    else if (message.type === "error" && message.code !== "restarting") showTrouble(message.message); // `lost` says it
  },
  audio(context, pcm, rateHz) {
    if (context !== speech?.line || speech.state !== "speaking") return;
    speech.hear(pcm, rateHz);
    showFigures();
    showAudio();
  },
});

// ---- what is pressed

function speak(written, pressedAt = performance.now()) {
  const text = written.toWellFormed?.() ?? written; // half a character is no text
  stop();
  showTrouble("");
  if (!text.trim()) {
    showStatus("There is nothing to speak yet: write something first.");
    $("text").focus();
    return;
  }
  if (text.length > longest) {
    showTrouble(`This text has ${text.length} characters; the server takes ${longest} at once. Please speak it in parts.`);
    return;
  }
  speech = new Speech(text, settings(), { gateway, player, pressedAt, on: reactions });
  transcript.show(speech);
  resume();
  showFigures();
  requestAnimationFrame(follow);
}

function resume() {
  player.wake();
  speech.begin();
  transcript.draw();
  showStatus(speech.state === "waiting" ? "Waiting for the connection; it will be spoken then." : "Speaking…");
  showActions();
  showAudio();
}

function stop() {
  if (!speech || speech.state === "over") return;
  speech.stop();
  transcript.light(undefined, false);
  showStatus("Stopped.");
  showActions();
  showAudio();
}

function touched(at) {
  if (!$("unmute").hidden && speech.firstSoundMs === null) speech.pressedAt = at; // the click that it is heard from
  player.wake();
}

function settings() {
  return {
    voice: $("voice").value,
    speaker: $("speaker-field").hidden ? null : $("speaker").value,
    speed: Number($("speed").value),
    slowly: $("slowly").checked,
  };
}

const reactions = {
  written: () => transcript.write(),
  sentence: (sentence) => transcript.add(sentence),
  takenBack: () => transcript.draw(),
  trouble: showTrouble,
  over() {
    transcript.light(undefined, true);
    showStatus(summary());
    showActions();
    showAudio();
  },
};

$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  speak($("text").value, event.timeStamp);
});
$("stop").addEventListener("click", stop);
$("speed").addEventListener("input", showSpeed);
$("voice").addEventListener("change", showSpeakers);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") stop();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
    event.preventDefault();
    speak($("text").value, event.timeStamp);
  }
});
// The first touch of the page starts its audio, so that the first click on Speak need not wait for it.
for (const gesture of ["pointerdown", "keydown", "click"]) {
  addEventListener(gesture, ({ timeStamp }) => touched(timeStamp), { capture: true });
}
setInterval(() => speech?.reportHeard(), PLAYED_MS);

// ---- what is shown

/** Once a frame, while there is something to be heard. */
function follow() {
  if (!speech || speech.state === "over") return showReserve();
  transcript.light(speech.current, false);
  showReserve();
  return requestAnimationFrame(follow);
}

function showConnection(state, words) {
  $("connection").dataset.state = state;
  $("connection").textContent = words;
}

function showStatus(words) {
  $("status").textContent = words;
}

function showTrouble(words) {
  $("trouble").textContent = words;
}

function showActions() {
  const busy = speech !== null && speech.state !== "over";
  $("stop").setAttribute("aria-disabled", String(!busy));
  document.body.toggleAttribute("data-speaking", busy);
}

/** Says where sound waits for a click; not in the moment that a context takes to start. */
function showAudio() {
  const waits = speech !== null && speech.state !== "over" && player.state !== "running";
  if (!waits) {
    clearTimeout(asking);
    asking = 0;
    $("unmute").hidden = true;
  } else if (!asking) asking = setTimeout(() => ($("unmute").hidden = false), ASK_MS);
}

function showFigures() {
  const ms = (value) => (value === null ? "–" : `${Math.max(0, Math.round(value))} ms`);
  $("first-sound").textContent = ms(speech?.firstSoundMs ?? null);
  $("first-byte").textContent = ms(speech?.firstByteMs ?? null);
  $("underruns").textContent = player.underruns;
}

function showReserve() {
  $("reserve").textContent = `${player.reserve.toFixed(1)} s`;
  $("reserve-bar").style.inlineSize = `${Math.min(100, (100 * player.reserve) / RESERVE_SHOWN_S)}%`;
}

function showSpeed() {
  $("speed-value").textContent = `${Number($("speed").value).toFixed(2)}×`;
  $("speed").setAttribute("aria-valuetext", `${$("speed").value} times`);
}

function showVoices(list, byDefault) {
  const chosen = $("voice").value;
  voices = readVoices(list);
  if (voices.length === 0) return;
  $("voice").replaceChildren(...voices.map(({ name, label }) => new Option(label, name)));
  $("voice").value = voices.some(({ name }) => name === chosen) ? chosen : (byDefault ?? voices[0].name);
  showSpeakers();
}

function showSpeakers() {
  const speakers = voices.find(({ name }) => name === $("voice").value)?.speakers ?? [];
  $("speaker-field").hidden = speakers.length === 0;
  $("speaker").replaceChildren(...speakers.map(({ value, label }) => new Option(label, value)));
}

/** Names in `ready` are enough to speak with; their languages and speakers come from here. */
async function loadVoices() {
  try {
    const answer = await fetch(`v1/voices${key ? `?api_key=${encodeURIComponent(key)}` : ""}`);
    if (!answer.ok) return;
    const { voices: list, default: byDefault } = await answer.json();
    showVoices(list, byDefault);
  } catch {
    // The connection has gone again; the next `ready` asks anew.
  }
}

function summary() {
  const done = speech.summary;
  if (!done) return "";
  if (!done.sentences) return $("trouble").textContent ? "Nothing was spoken." : "There is nothing to say in this text.";
  const of = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const cached = speech.sentences.list.filter((sentence) => sentence.cached).length;
  const total = speech.sentences.list.length;
  return `${seconds(done.audio_ms)} of speech, ${of(total, "sentence")}${cached ? `, ${cached} from the cache` : ""}.`;
}

// ---- for tests, and for looking in from the console

window.onset = {
  speak: (text = $("text").value) => speak(text),
  stop,
  /** With `?capture`: {rate, samples} of all that was given to the audio device. */
  captured: async () => ({ rate: player.rate, samples: await player.captured() }),
  snapshot: () => ({
    connected: gateway.ready,
    audio: player.state,
    rate: player.rate,
    reserve_s: player.reserve,
    underruns: player.underruns,
    speech: speech && {
      state: speech.state,
      context: speech.line,
      heard_ms: speech.heardMs,
      first_byte_ms: speech.firstByteMs,
      first_sound_ms: speech.firstSoundMs,
      done: speech.summary,
    },
  }),
};

showSpeed();
gateway.open();
if (query.has("text")) $("text").value = query.get("text");
if (query.has("speak")) speak($("text").value);
