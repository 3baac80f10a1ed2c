// A stream of samples from one rate to another, as if it had come in one piece.
//
// Polyphase windowed sinc. Output n lies at input position n * from / to exactly (integers, so the
// clock never drifts), nothing is shifted in time, and a stream of N samples gives ceil(N * to / from).

const CROSSINGS = 16; // zero crossings of the sinc on each side
const ROLLOFF = 0.945; // where the pass band ends, of the lower Nyquist frequency
const BETA = 9; // Kaiser window: about 90 dB

export class Resampler {
  #from;
  #to;
  #half; // taps on each side, input samples
  #kernel; // [phase][tap], one flat array
  #pending; // input not yet done with, from the first tap of the next output
  #phase = 0; // of the next output, in 1 / #to of an input sample
  #skip = 0; // input samples to pass over before the next output's first tap

  constructor(fromHz, toHz) {
    if (!(Number.isInteger(fromHz) && Number.isInteger(toHz) && fromHz > 0 && toHz > 0)) {
      throw new RangeError(`cannot resample ${fromHz} Hz to ${toHz} Hz`);
    }
    const common = gcd(fromHz, toHz);
    this.#from = fromHz / common;
    this.#to = toHz / common;
    if (this.#from === this.#to) return;
    const cutoff = Math.min(1, toHz / fromHz) * ROLLOFF;
    this.#half = Math.ceil(CROSSINGS / cutoff);
    this.#kernel = kernel(this.#to, this.#half, cutoff);
    this.#pending = new Float32Array(this.#half - 1); // silence before the first sample
  }

  /** Int16Array in, Float32Array of full scale 1 out: all output whose taps are known. */
  push(pcm) {
    const samples = new Float32Array(pcm.length);
    for (let i = 0; i < pcm.length; i++) samples[i] = pcm[i] / 32768;
    return this.#kernel ? this.#convolve(samples) : samples;
  }

  /** The last output of the stream, its end followed by silence. */
  flush() {
    return this.#kernel ? this.#convolve(new Float32Array(this.#half)) : new Float32Array(0);
  }

  #convolve(samples) {
    const input = new Float32Array(this.#pending.length + samples.length);
    input.set(this.#pending);
    input.set(samples, this.#pending.length);
    const taps = 2 * this.#half;
    const output = new Float32Array(Math.ceil((input.length * this.#to) / this.#from) + 1); // room enough
    let made = 0;
    let start = this.#skip;
    for (; start + taps <= input.length; start = this.#advance(start)) {
      const row = this.#phase * taps;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) sum += input[start + tap] * this.#kernel[row + tap];
      output[made++] = sum;
    }
    const kept = Math.min(start, input.length);
    this.#skip = start - kept;
    this.#pending = input.slice(kept);
    return output.slice(0, made);
  }

  #advance(start) {
    const phase = this.#phase + this.#from;
    this.#phase = phase % this.#to;
    return start + Math.floor(phase / this.#to);
  }
}

function kernel(phases, half, cutoff) {
  const taps = 2 * half;
  const table = new Float32Array(phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (half - 1) - phase / phases;
      row[tap] = sinc(distance * cutoff) * kaiser(distance / half);
      sum += row[tap];
    }
    for (let tap = 0; tap < taps; tap++) row[tap] /= sum; // each phase passes DC alike
  }
  return table;
}

function sinc(x) {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x) {
  return Math.abs(x) > 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

function bessel(x) {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-12; k++) sum += term *= (x / (2 * k)) ** 2;
  return sum;
}

function gcd(a, b) {
  return b === 0 ? a : gcd(b, a % b);
}
