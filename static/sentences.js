// Where the server's sentences lie in the text that was written, and which one is heard when.

export class Sentences {
  #text;
  #characters = 0; // of a line, which begins where there were no sentences yet, and where that is in the text
  #place = 0;
  end = 0; // of what has sentences, in the text
  list = []; // {text, shown, gap, line, startMs, cached, begin}

  constructor(text) {
    this.#text = text;
  }

  /** A line of sound begins; its text is what has no sentence yet. */
  begin() {
    this.#characters = 0;
    this.#place = this.end;
  }

  /** Notes a sentence of a line, from its `start` to its `end` among the characters of the line's text. */
  add({ text, line, startMs, cached, start, end }) {
    const begin = this.end;
    const from = Math.max(begin, this.#placeOf(start));
    const to = Math.max(from, this.#placeOf(end));
    this.end = to;
    const gap = this.#text.slice(begin, from);
    const shown = this.#text.slice(from, to) || text; // a note about code is nowhere in the text
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

  /** Where a character of the line is in the text, which counts some characters as two. Asked from left to right. */
  #placeOf(character) {
    for (; this.#characters < character && this.#place < this.#text.length; this.#characters++) {
      this.#place += this.#text.codePointAt(this.#place) > 0xffff ? 2 : 1;
    }
    return this.#place;
  }
}
