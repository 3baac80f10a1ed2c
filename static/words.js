// What the page says when something is wrong, in words for people.

const ERRORS = {
  overloaded: "The server is busy just now. Please try again in a moment.",
  restarting: "The server is restarting. Please try again in a moment.",
  synthesis_failed: "One sentence could not be spoken.",
  unknown_voice: "That voice is not installed on the server.",
};

const CLOSES = {
  1008: "The server does not accept this page.",
  1012: "The server is restarting. Trying again…",
  1013: "The server is full. Trying again…",
};

/** An `error` message of the server: our words for what is common, and the server's own for the rest. */
export function errorWords({ code, message }) {
  const known = ERRORS[code];
  const said = message ? message[0].toUpperCase() + message.slice(1) : "The server could not do this.";
  return known && message ? `${known} (${message})` : (known ?? said);
}

export function lossWords(code, reason) {
  return CLOSES[code] ? `${CLOSES[code]}${reason ? ` (${reason})` : ""}` : "Connection lost. Trying again…";
}

export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
