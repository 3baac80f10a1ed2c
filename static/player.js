// The page's one audio context, and where each line of sound is on its clock.

import { Resampler } from "./resample.js";

const HELD_S = 120; // sound kept while nobody can hear it yet
const STALE_S = 0.1; // a position is carried on from its report no longer than this

export class Player {
  #capture;
  #on; // what happens: state, first, underrun, finished, broken
  #context = null;
  #node = null;
  #loading = null; // the promise of the worklet
  #loads = 0;
  #early = []; // messages to the worklet before it is loaded
  #lines = new Map(); // name -> {resampler, given: frames, played: frames, report}
  #asked = null; // who waits for the captured samples

  underruns = 0;

  constructor({ capture = false, on = {} } = {}) {
    this.#capture = capture;
    this.#on = on;
  }

  /** Makes or resumes the audio context. Call it in a click or a key press: only then may a page sound. */
  wake() {
    if (!this.#context) this.#open();
    this.#loading ??= this.#load();
    if (this.#context.state !== "running") this.#context.resume().catch(() => {}); // refused: `state` says so
  }

  get state() {
    return this.#context?.state ?? "none";
  }

  get rate() {
    return this.#context?.sampleRate ?? 0;
  }

  /** Seconds of sound that are here and not yet heard. */
  get reserve() {
    let frames = 0;
    for (const line of this.#lines.values()) frames += Math.max(0, line.given - line.played);
    return this.rate ? frames / this.rate : 0;
  }

  /** Too much waits to be heard: take no more. */
  get full() {
    return this.reserve > HELD_S;
  }

  /** Int16 samples of a line, at the rate they were made in; the player must have been woken before. */
  push(name, pcm, rateHz) {
    const line = this.#line(name);
    line.resampler ??= new Resampler(rateHz, this.rate);
    this.#give(name, line, line.resampler.push(pcm));
  }

  /** No more will come of this line. */
  end(name) {
    const line = this.#line(name);
    if (line.resampler) this.#give(name, line, line.resampler.flush());
    this.#post({ type: "end", line: name });
  }

  /** Ends a line before `ms` of it, whatever has come already. */
  cut(name, ms) {
    const line = this.#line(name);
    const frame = Math.round((ms / 1000) * this.rate);
    line.given = Math.min(line.given, frame);
    this.#post({ type: "cut", line: name, frame });
  }

  /** Silence, after a short fade; everything that waits is forgotten. */
  stop() {
    this.#lines.clear();
    this.#post({ type: "stop" });
  }

  /** Milliseconds of a line that have left the loudspeaker by now. */
  heard(name) {
    const line = this.#lines.get(name);
    if (!line?.report) return 0;
    const { frame, at, flowing } = line.report;
    const since = this.#context.currentTime - at / this.rate;
    const latency = this.#context.outputLatency || 0;
    const ahead = flowing ? Math.min(since, STALE_S) - latency : Math.min(0, since - latency);
    return 1000 * Math.max(0, Math.min(line.given / this.rate, frame / this.rate + ahead));
  }

  /** Milliseconds from now until what is given to the device now is heard. */
  get latencyMs() {
    return 1000 * (this.#context.outputLatency || 0);
  }

  /** Every sample given to the device so far, where the player was made with `capture`. */
  captured() {
    return new Promise((resolve) => {
      this.#asked = resolve;
      this.#post({ type: "captured" });
    });
  }

  #open() {
    const context = new AudioContext({ latencyHint: "interactive" });
    this.#context = context;
    context.onstatechange = () => this.#on.state?.();
  }

  /** Loads the worklet; where that fails (the server may be gone just now) the next `wake` tries again. */
  async #load() {
    const context = this.#context;
    try {
      // A new address each time: a browser may remember for one that it failed.
      await context.audioWorklet.addModule(new URL(`./player-worklet.js?${this.#loads++}`, import.meta.url));
    } catch (error) {
      this.#loading = null;
      this.#on.broken?.(error);
      return;
    }
    const options = { numberOfInputs: 0, outputChannelCount: [1], processorOptions: { capture: this.#capture } };
    this.#node = new AudioWorkletNode(context, "player", options);
    this.#node.port.onmessage = ({ data }) => this.#told(data);
    this.#node.connect(context.destination);
    for (const message of this.#early.splice(0)) this.#post(message);
  }

  #line(name) {
    if (!this.#lines.has(name)) this.#lines.set(name, { given: 0, played: 0 });
    return this.#lines.get(name);
  }

  #give(name, line, samples) {
    line.given += samples.length;
    this.#post({ type: "sound", line: name, samples });
  }

  #post(message) {
    if (!this.#node) this.#early.push(message);
    else this.#node.port.postMessage(message, message.samples ? [message.samples.buffer] : []);
  }

  #told(message) {
    if (message.type === "captured") return this.#asked(message.samples);
    if (message.type === "underrun") this.underruns = message.underruns;
    const line = this.#lines.get(message.line);
    if (!line) return undefined; // of a sound that was stopped meanwhile
    if (message.type === "position") [line.report, line.played] = [message, message.frame];
    if (message.type === "finished") line.given = line.played;
    return this.#on[message.type]?.(message);
  }
}
