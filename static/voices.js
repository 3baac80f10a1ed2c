// What the server says about its voices, in one shape.

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

/** From names, or from objects, as `ready` and `/v1/voices` have them. */
export function readVoices(voices) {
  return Array.from(voices ?? [], (voice) => (typeof voice === "string" ? { name: voice } : voice))
    .filter((voice) => voice?.name)
    .map((voice) => ({ name: voice.name, label: label(voice), speakers: speakers(voice.speakers) }));
}

/** "en_US-joe-medium" of "en-US" is "Joe, American English (medium)"; any other name stays as it is. */
function label({ name, language }) {
  const parts = /^[a-z]{2,3}_[A-Z]{2}-(.+)-(x_low|low|medium|high)$/u.exec(name);
  const person = parts ? parts[1].replaceAll("_", " ").replace(/^./u, (first) => first.toUpperCase()) : name;
  const spoken = languageName(language ?? (parts ? name.split("-")[0] : ""));
  return person + (spoken ? `, ${spoken}` : "") + (parts ? ` (${parts[2].replace("_", " ")})` : "");
}

function languageName(tag) {
  try {
    return tag ? languages.of(tag.replace("_", "-")) : "";
  } catch {
    return tag; // not a language tag: shown as it is
  }
}

/** A list of {value, label}; empty for a voice of one speaker. */
function speakers(given) {
  let names = [];
  if (typeof given === "number") names = Array.from({ length: given }, (_, id) => id);
  else if (Array.isArray(given)) names = given.map((each) => each?.name ?? each);
  else if (given) names = Object.keys(given);
  return names.length > 1 ? names.map((name) => ({ value: name, label: `${name}` })) : [];
}
