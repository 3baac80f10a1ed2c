// Where the server's sentences lie in the text that was written, and which one is heard when.

const NEAR = 4000; // characters looked through for a sentence, beyond its own length

export class Sentences {
  #text;
  end = 0; // of what has sentences, in the text
  list = []; // {text, shown, gap, line, startMs, cached, begin}

  constructor(text) {
    this.#text = text;
  }

  /** Notes a sentence of a line of sound. Shown are the words as written, where they are found there. */
  add({ text, line, startMs, cached }) {
    const begin = this.end;
    const place = locate(this.#text, text, begin);
    const gap = place ? this.#text.slice(begin, place.from) : " ";
    const shown = place ? this.#text.slice(place.from, place.to) : text;
    if (place) this.end = place.to;
    const sentence = { text, shown, gap, line, startMs, cached, begin };
    this.list.push(sentence);
    return sentence;
  }

  /** Forgets the last sentence of a line, of which not everything came; null where there is none. */
  takeBack(line) {
    const last = this.list.at(-1);
    if (last?.line !== line) return null;
    this.end = last.begin;
    return this.list.pop();
  }

  /** What has no sentence yet. */
  get rest() {
    return this.#text.slice(this.end);
  }

  /** The sentence that is heard, given how many ms of each line have been; undefined before the first. */
  at(heardMs) {
    return this.list.findLast(({ line, startMs }) => heardMs(line) > 0 && startMs <= heardMs(line));
  }
}

/** Finds a sentence in a text from `cursor` on, whatever white space stands between its words. */
export function locate(text, sentence, cursor) {
  const words = sentence.split(/\s+/u).filter(Boolean);
  if (words.length === 0) return null;
  const near = text.slice(cursor, cursor + 4 * sentence.length + NEAR); // not the whole book for words not in it
  const found = new RegExp(words.map(escaped).join("\\s+"), "u").exec(near);
  return found && { from: cursor + found.index, to: cursor + found.index + found[0].length };
}

function escaped(word) {
  return word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
