// The written text on the page, its sentences lighting up as they are heard.

const BADGES = {
  memory: ["cache: memory", "from this server's cache, in memory"],
  redis: ["cache: Redis", "from the shared cache, in Redis"],
  joined: ["cache: joined", "shared with another listener who asked for it at the same time"],
};

export class Transcript {
  #root;
  #speech = null;
  #spans = new Map(); // sentence -> element
  #lit = null;

  constructor(root) {
    this.#root = root;
  }

  show(speech) {
    this.#speech = speech;
    this.draw();
  }

  /** Draws it anew: what has a sentence as sentences, what has been written as plain text. */
  draw() {
    const { text, written, sentences } = this.#speech;
    this.#spans.clear();
    this.#lit = null;
    delete this.#root.dataset.empty;
    this.#root.dir = "auto";
    this.#root.textContent = text;
    this.#root.dir = getComputedStyle(this.#root).direction; // of the whole: sentences are isolated, and say nothing of it
    this.#root.replaceChildren();
    for (const sentence of sentences.list) this.#append(sentence);
    this.#root.append(this.#pending(text.slice(sentences.end, written)));
  }

  /** More has been written. */
  write() {
    const { text, written, sentences } = this.#speech;
    this.#root.lastChild.textContent = text.slice(sentences.end, Math.max(written, sentences.end));
  }

  /** A sentence has come. */
  add(sentence) {
    const pending = this.#root.lastChild;
    pending.remove();
    this.#append(sentence);
    this.#root.append(pending);
    this.write();
  }

  /** Lights the sentence that is heard; `over` says that all have been. */
  light(sentence, over) {
    const lit = over ? null : (sentence ?? null);
    if (lit === this.#lit && !over) return;
    const reached = sentence ? this.#speech.sentences.list.indexOf(sentence) : -1;
    this.#speech.sentences.list.forEach((each, index) => {
      const span = this.#spans.get(each);
      const heard = over || index < reached;
      span.dataset.state = each === lit ? "speaking" : heard ? "spoken" : "waiting";
      if (each === lit) span.setAttribute("aria-current", "true");
      else span.removeAttribute("aria-current");
    });
    if (lit) this.#reveal(this.#spans.get(lit));
    this.#lit = lit;
  }

  #append(sentence) {
    const span = document.createElement("span");
    span.className = "sentence";
    span.dataset.state = "waiting";
    span.textContent = sentence.shown;
    this.#root.append(sentence.gap, span);
    if (sentence.cached) span.append(" ", badge(sentence.cached)); // a pause for who listens to the page
    this.#spans.set(sentence, span);
  }

  /** Scrolls the transcript, and nothing around it. */
  #reveal(span) {
    const top = span.offsetTop - this.#root.offsetTop;
    const bottom = top + span.offsetHeight;
    if (top < this.#root.scrollTop) this.#root.scrollTop = top;
    else if (bottom > this.#root.scrollTop + this.#root.clientHeight) {
      this.#root.scrollTop = Math.min(top, bottom - this.#root.clientHeight);
    }
  }

  #pending(text) {
    const span = document.createElement("span");
    span.className = "pending";
    span.textContent = text;
    return span;
  }
}

function badge(cached) {
  const [name, title] = BADGES[cached] ?? ["cache", "from the cache"];
  const mark = document.createElement("small");
  mark.className = "badge";
  mark.title = title;
  mark.textContent = name;
  return mark;
}
