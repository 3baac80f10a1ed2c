// One press of Speak: its text, its contexts on the wire (a new one after a lost connection), its sound.

import { Sentences } from "./sentences.js";
import { writeSlowly, writeWhole } from "./typist.js";
import { errorWords } from "./words.js";

let contexts = 0; // a fresh one each, for as long as the page lives

export class Speech {
  #gateway;
  #player;
  #settings; // {voice, speaker, speed, slowly}
  #on; // {written(), sentence(sentence), takenBack(), trouble(words), over()}
  #stopWriting = () => {};
  #received = 0; // samples of the context
  #complete = false; // the server has sent everything of the context

  line = ""; // the context, and the player's line of the same name
  text;
  written = 0; // characters given to the server, or to its queue on the page
  sentences;
  state = "new"; // new, waiting (for a connection), speaking, over
  pressedAt; // on the clock of performance.now()
  firstByteMs = null;
  firstSoundMs = null;
  summary = null; // the server's `done`

  constructor(text, settings, { gateway, player, pressedAt, on }) {
    this.text = text;
    this.sentences = new Sentences(text);
    this.pressedAt = pressedAt;
    this.#settings = settings;
    this.#gateway = gateway;
    this.#player = player;
    this.#on = on;
  }

  /** Asks for everything that has no sentence yet; waits where there is no connection. */
  begin() {
    if (!this.#gateway.ready) {
      this.state = "waiting";
      return;
    }
    const { voice, speaker, speed, slowly } = this.#settings;
    this.state = "speaking";
    this.line = `page-${++contexts}`;
    this.#received = 0;
    this.#complete = false;
    this.#send({ type: "start", ...(voice && { voice }), ...(speaker !== null && { speaker }), speed });
    this.sentences.begin();
    const { rest } = this.sentences;
    this.written = this.text.length - rest.length;
    const write = (text) => this.#write(text);
    if (slowly) this.#stopWriting = writeSlowly(rest, write, () => this.#send({ type: "end" }));
    else {
      writeWhole(rest, write);
      this.#send({ type: "end" });
    }
  }

  stop() {
    if (this.state === "over") return;
    this.#stopWriting();
    if (this.state === "speaking" && !this.#complete) this.#send({ type: "cancel" });
    this.#player.stop();
    this.state = "over";
  }

  /** The connection is gone: what came whole is still spoken. True where there is a rest, for `begin` to ask again. */
  lose() {
    if (this.state !== "speaking" || this.#complete) return false;
    this.#stopWriting();
    this.state = "waiting";
    const broken = this.sentences.takeBack(this.line);
    if (broken) this.#player.cut(this.line, broken.startMs);
    else this.#player.end(this.line);
    this.#on.takenBack();
    return true;
  }

  /** Tells the server how far its listener is. */
  reportHeard() {
    if (this.state !== "speaking" || this.#complete || this.#received === 0) return;
    this.#send({ type: "played", ms: Math.round(this.heardMs) });
  }

  get heardMs() {
    return this.#player.heard(this.line);
  }

  /** The sentence that is heard now; a line before the last may still be playing. */
  get current() {
    return this.sentences.at((line) => this.#player.heard(line));
  }

  hear(pcm, rateHz) {
    this.firstByteMs ??= performance.now() - this.pressedAt;
    this.#received += pcm.length;
    this.#player.push(this.line, pcm, rateHz);
    if (!this.#player.full) return;
    this.stop();
    this.#on.trouble("More sound is waiting than the page can keep. Stopped; press Speak to hear it from the start.");
    this.#on.over();
  }

  receive(message) {
    switch (message.type) {
      case "sentence": {
        const { text, start_ms: startMs, cached, start, end } = message;
        this.#on.sentence(this.sentences.add({ text, line: this.line, startMs, cached, start, end }));
        return;
      }
      case "done":
        this.summary = message;
        this.#finish();
        return;
      case "error":
        if (message.code !== "start_refused") this.#on.trouble(errorWords(message)); // its reason was said before
    }
  }

  /** The player has come to the end of a line. */
  finished(line) {
    if (line === this.line && this.#complete && this.state === "speaking") this.#end();
  }

  #finish() {
    this.#complete = true;
    this.#stopWriting();
    this.#player.end(this.line);
    if (this.#received === 0) this.#end(); // no sound, so no end of it to wait for
  }

  #end() {
    this.state = "over";
    this.#on.over();
  }

  #write(text) {
    this.#send({ type: "text", text });
    this.written += text.length;
    this.#on.written();
  }

  #send(message) {
    this.#gateway.send({ ...message, context: this.line });
  }
}
