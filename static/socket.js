// The gateway's protocol on one socket that comes back when it is lost.

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
const PING_MS = 15000; // a silent socket is asked whether it is still there
const PATIENCE_MS = 8000; // and is given up when it says nothing for so long

export class Gateway {
  #url;
  #on; // {ready(message), lost(why), message(message), audio(context, pcm, rateHz)}
  #socket = null;
  #ready = false;
  #failures = 0;
  #retry = 0; // timers
  #ping = 0;
  #patience = 0;
  #audio = null; // the `audio` message that the next binary messages belong to

  constructor(url, on) {
    this.#url = url;
    this.#on = on;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
  }

  /** The server has said that it is ready, and nothing has been heard against it since. */
  get ready() {
    return this.#ready;
  }

  open() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = ({ data }) => socket === this.#socket && this.#receive(data);
    socket.onclose = ({ code, reason }) => socket === this.#socket && this.#lose(code, reason);
    this.#wait();
  }

  /** Sends a message; false, and nothing sent, where there is no connection. */
  send(message) {
    if (!this.#ready) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #receive(data) {
    this.#wait();
    if (data instanceof ArrayBuffer) return this.#sound(data);
    const message = JSON.parse(data);
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.#failures = 0;
        return this.#on.ready(message);
      case "audio":
        this.#audio = message;
        return undefined;
      case "pong":
        return undefined;
      default:
        return this.#on.message(message);
    }
  }

  #sound(data) {
    if (this.#audio?.format !== "pcm_s16le") return; // nothing else is asked for
    const { context, sample_rate: rateHz } = this.#audio;
    this.#on.audio(context, new Int16Array(data, 0, data.byteLength >> 1), rateHz);
  }

  #lose(code, reason) {
    this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#ready = false;
    this.#audio = null;
    clearTimeout(this.#ping);
    clearTimeout(this.#patience);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    this.#retry = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2)); // not all pages at once
    this.#on.lost(code, reason);
  }

  /** Something has changed for the better: try now, unless a try is under way. */
  #hurry() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    this.open();
  }

  /** Begins the watch for silence anew. */
  #wait() {
    clearTimeout(this.#ping);
    clearTimeout(this.#patience);
    this.#ping = setTimeout(() => {
      this.send({ type: "ping" });
      this.#patience = setTimeout(() => this.#lose(0, "no answer"), PATIENCE_MS);
    }, PING_MS);
  }
}
