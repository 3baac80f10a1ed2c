// Text in the way it is written: whole, or as a language model gives it, a few characters at a time.

const EVERY_MS = 30;
const WHOLE = 16384; // characters of a message of whole text, far under any limit

/** Pieces of `text` of `least` to `most` characters; no character is cut in two. */
export function* pieces(text, least, most) {
  const characters = Array.from(text); // by code point
  for (let at = 0; at < characters.length; ) {
    const size = least + Math.floor(Math.random() * (most - least + 1));
    yield characters.slice(at, (at += size)).join("");
  }
}

export function writeWhole(text, write) {
  for (const piece of pieces(text, WHOLE, WHOLE)) write(piece);
}

/** Writes 2 to 5 characters every 30 ms, then calls `done`; returns a function that stops it. */
export function writeSlowly(text, write, done) {
  const source = pieces(text, 2, 5);
  const began = performance.now();
  let written = 0;
  const timer = setInterval(() => {
    // A page in the background is woken seldom: what is due by now is written at once.
    for (const due = (performance.now() - began) / EVERY_MS; written < due; written++) {
      const { value, done: over } = source.next();
      if (over) {
        clearInterval(timer);
        return done();
      }
      write(value);
    }
    return undefined;
  }, EVERY_MS);
  return () => clearInterval(timer);
}
