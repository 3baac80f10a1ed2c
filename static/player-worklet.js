// The sound itself: one cursor over queued samples, on the audio thread.
//
// A line is one stream of sound. Lines play one after another, each from its first sample to its last.
// In:  {sound, line, samples} {end, line} {cut, line, frame} {stop} {captured}
// Out: {position}, {first} audible sample, {underrun}, {finished} line, {captured}

const START_S = 0.05; // reserve before a line begins
const AGAIN_S = 0.15; // reserve before it goes on after an underrun
const FADE_S = 0.015; // the last of a stopped sound
const MEND_S = 0.003; // ramps on both sides of an underrun, so that it does not click
const REPORT_FRAMES = 1024; // a position is sent this often
const AUDIBLE = 0.003; // about -50 dB: below it nobody hears that the sound has begun
const CAPTURE_S = 300;

class Line {
  constructor(id) {
    this.id = id;
    this.chunks = [];
    this.offset = 0; // into the first chunk
    this.queued = 0; // frames waiting
    this.played = 0; // frames given out
    this.ended = false; // no more will come
    this.flowing = false; // has its reserve, is being given out
    this.audible = false;
    this.mended = 0; // frames of the ramp still to do after an underrun
    this.need = START_S;
  }

  push(samples) {
    this.chunks.push(samples);
    this.queued += samples.length;
  }

  /** Copies what fits of the first chunk; returns how many frames. */
  read(output, at) {
    const [chunk] = this.chunks;
    const frames = Math.min(chunk.length - this.offset, output.length - at);
    output.set(chunk.subarray(this.offset, this.offset + frames), at);
    this.offset += frames;
    if (this.offset === chunk.length) {
      this.chunks.shift();
      this.offset = 0;
    }
    this.queued -= frames;
    this.played += frames;
    return frames;
  }

  /** The next frames, taken out. */
  take(frames) {
    const taken = new Float32Array(Math.min(frames, this.queued));
    for (let at = 0; at < taken.length; ) at += this.read(taken, at);
    return taken;
  }
}

class PlayerProcessor extends AudioWorkletProcessor {
  lines = [];
  tail = new Float32Array(0); // a stopped sound, fading
  underruns = 0;
  last = 0; // the last sample given out
  reported = 0;

  constructor({ processorOptions }) {
    super();
    this.capture = processorOptions.capture ? [] : null;
    this.port.onmessage = ({ data }) => this[data.type](data);
  }

  sound({ line, samples }) {
    if (samples.length) this.line(line).push(samples);
  }

  end({ line }) {
    this.line(line).ended = true;
  }

  line(id) {
    let line = this.lines.find((each) => each.id === id);
    if (!line) this.lines.push((line = new Line(id)));
    return line;
  }

  /** Ends a line before `frame` of it; at once, with a fade, where it has gone past. */
  cut({ line: id, frame }) {
    const line = this.lines.find((each) => each.id === id);
    if (!line) return;
    const keep = frame - line.played;
    if (keep <= 0) this.fade(line);
    const kept = keep > 0 ? line.take(keep) : new Float32Array(0);
    line.played -= kept.length;
    line.chunks = kept.length ? [kept] : [];
    line.offset = 0;
    line.queued = kept.length;
    line.ended = true;
  }

  stop() {
    const [line] = this.lines;
    if (line) this.fade(line);
    this.lines = [];
  }

  /** Takes the next of a line to fade it out; where that ends before the fade does, `settled` goes on from there. */
  fade(line) {
    if (!line.flowing || this.tail.length) return; // silent already, or fading
    const whole = Math.round(FADE_S * sampleRate);
    const rest = line.take(whole);
    if (line.mended > 0) this.mend(line, rest);
    this.tail = rest.map((sample, i) => sample * (1 - (i + 1) / whole));
  }

  captured() {
    this.port.postMessage({ type: "captured", samples: joined(this.capture ?? []) });
  }

  process(_inputs, [[output]]) {
    let at = Math.min(this.tail.length, output.length);
    output.set(this.tail.subarray(0, at));
    this.tail = this.tail.subarray(at);
    while (at < output.length) {
      const frames = this.next(output, at);
      if (frames === 0) break;
      at += frames;
    }
    for (let i = at; i < output.length; i++) output[i] = this.settled(i === 0 ? this.last : output[i - 1]);
    this.last = output[output.length - 1];
    this.reported += output.length;
    // Of a line that waits nothing is new: its last report says since when it is where it is.
    if (this.lines[0]?.flowing && this.reported >= REPORT_FRAMES) this.report(this.lines[0], output.length);
    if (this.capture && currentFrame < CAPTURE_S * sampleRate) this.capture.push(output.slice());
    return true;
  }

  /** Gives out frames of the line whose turn it is; 0 where there is nothing to be heard now. */
  next(output, at) {
    for (let line = this.lines[0]; line; line = this.lines[0]) {
      if (line.queued === 0 && line.ended) {
        this.lines.shift();
        this.report(line, at);
        this.port.postMessage({ type: "finished", line: line.id });
        continue;
      }
      if (!line.flowing) line.flowing = line.queued >= line.need * sampleRate || (line.ended && line.queued > 0);
      if (!line.flowing) return 0;
      if (line.queued === 0) return this.ranDry(line, at);
      const frames = line.read(output, at);
      const given = output.subarray(at, at + frames);
      if (line.mended > 0) this.mend(line, given);
      if (!line.audible) this.listen(line, given);
      return frames;
    }
    return 0;
  }

  ranDry(line, at) {
    this.underruns += 1;
    line.flowing = false;
    line.need = AGAIN_S;
    line.mended = Math.round(MEND_S * sampleRate);
    this.report(line, at);
    this.port.postMessage({ type: "underrun", line: line.id, underruns: this.underruns });
    return 0;
  }

  mend(line, given) {
    const whole = Math.round(MEND_S * sampleRate);
    for (let i = 0; i < given.length && line.mended > 0; i++, line.mended--) given[i] *= 1 - line.mended / whole;
  }

  /** What follows a sample when nothing does: a quick way down to silence. */
  settled(sample) {
    return Math.abs(sample) < 1e-5 ? 0 : sample * (1 - 3 / (MEND_S * sampleRate));
  }

  listen(line, given) {
    line.audible = given.some((sample) => Math.abs(sample) > AUDIBLE);
    if (line.audible) this.port.postMessage({ type: "first", line: line.id });
  }

  /** Says where a line is: its frames given out when the context's clock is at `at`. */
  report(line, frames) {
    this.reported = 0;
    const flowing = line.flowing && line.queued > 0;
    this.port.postMessage({ type: "position", line: line.id, frame: line.played, flowing, at: currentFrame + frames });
  }
}

function joined(chunks) {
  const whole = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

registerProcessor("player", PlayerProcessor);
