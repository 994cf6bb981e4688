// The input line at the bottom, for messages and slash commands, with the server's suggestions.

import { el, entryText, find } from "./dom.js";
import { encodeFile, MAX_FILE_BYTES } from "./files.js";
import { append } from "./log.js";
import { model } from "./model.js";
import { request } from "./socket.js";
import * as say from "./words.js";

const TYPING_PAUSE = 60; // milliseconds without a key press before suggestions are requested
const NO_OFFER = { entries: [], hint: {}, note: "" };

const text = find("text");
const box = find("suggestions");
let offer = NO_OFFER; // the suggestions; if `picks`, Enter accepts the highlighted one
let highlighted = -1; // index of the highlighted suggestion
let choseByArrow = false; // the player highlighted it with an arrow key
let suggestedFor = ""; // line and caret that the suggestions are for
let loading = null; // a promise while suggestions are requested
let lastAction = Promise.resolve(); // of Tab and Enter, which wait for the suggestions

const isCommand = () => text.value.startsWith("/");
const lineAndCaret = () => `${text.selectionStart} ${text.value}`;

/** Begin typing a command. */
export function startCommand(name = "") {
  text.focus();
  setLine(`/${name}`);
}

/** Replace the line, and show why the last one was refused. */
function setLine(line, refusal = "") {
  text.value = line;
  find("refusal").textContent = refusal;
  suggest();
}

// Suggestions

/** Request suggestions if the line or the caret has changed. */
function suggest() {
  if (lineAndCaret() === suggestedFor) return;
  suggestedFor = lineAndCaret();
  const mine = loadSuggestions(suggestedFor).finally(() => {
    if (loading === mine) loading = null;
  });
  loading = mine;
}

/** Load and show suggestions, unless the line changes in the meantime. */
async function loadSuggestions(wanted) {
  if (!isCommand() || document.activeElement !== text) return showOffer(NO_OFFER);
  await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE));
  if (wanted !== suggestedFor) return;
  const { value: line, selectionStart: caret } = text;
  const answer = await request({ do: "suggest", channel: model.open, line, caret });
  if (wanted === suggestedFor) showOffer({ ...NO_OFFER, ...answer });
}

function showOffer(found) {
  offer = found;
  choseByArrow = false;
  const lines = offer.entries.map((entry, index) => {
    const attributes = { role: "option", id: `suggestion-${index}`, onclick: () => accept(entry) };
    return el("div.entry", attributes, entryText(entry));
  });
  find("hint").textContent = say.hint(offer.hint);
  box.replaceChildren(...(lines.length ? lines : [el("p.note", say.note(offer.note))]));
  box.hidden = !lines.length && !offer.note;
  highlight(lines.length ? 0 : -1);
}

function highlight(index) {
  highlighted = index;
  [...box.children].forEach((one, number) => one.setAttribute("aria-selected", number === highlighted));
  box.children[highlighted]?.scrollIntoView({ block: "nearest" });
  text.ariaExpanded = !box.hidden;
  text.setAttribute("aria-activedescendant", highlighted < 0 ? "" : `suggestion-${highlighted}`);
}

/** Put a suggestion into the line. */
function accept(entry) {
  text.setRangeText(entry.text, entry.start, entry.end, "end");
  if (/[ :]$/.test(entry.text)) return suggest();
  suggestedFor = lineAndCaret();
  return showOffer({ ...NO_OFFER, hint: { description: entry.label } });
}

// Sending

/** Return the file that was chosen for a command, encoded for the server. */
async function chosenFile() {
  const [file] = find("file").files;
  if (!file) return undefined;
  if (file.size > MAX_FILE_BYTES) throw new Error(say.TOO_LARGE);
  const encoded = await encodeFile(file);
  showFile(null);
  return encoded;
}

/** Show the name of the chosen file; null takes the choice back. */
function showFile(file) {
  if (!file) find("file").value = "";
  find("attach").dataset.name = file?.name ?? "";
}

/** Send the line; a command shows a notice until the bot responds. */
async function send() {
  const line = text.value;
  if (!line.trim()) return;
  const wasCommand = isCommand();
  let file;
  try {
    if (wasCommand) file = await chosenFile();
  } catch (error) {
    showFile(null);
    return setLine(line, error.message);
  }
  const sending = el("p.thinking", { role: "status" }, `Sending ${line}…`);
  const notice = el("article.message.notice.private", sending);
  if (wasCommand) append(notice, true);
  setLine("");
  const { t: outcome, why } = await request({ do: "send", channel: model.open, line, file });
  if (wasCommand && outcome === "failed") {
    const dismiss = el("button.plain", { onclick: () => notice.remove() }, "Dismiss message");
    notice.replaceChildren(el("p.error", { role: "alert" }, `${line}: ${why}`), dismiss);
  } else {
    notice.remove();
    if (why) setLine(text.value || line, why);
  }
}

// Keys

/** Run an action once the suggestions fit the line and earlier actions are done. */
function afterLoading(action) {
  lastAction = lastAction.then(async () => {
    while (loading) await loading;
    action(offer.entries[highlighted]);
  });
}

function onKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { length } = offer.entries;
  if (event.isComposing || event.shiftKey) return;
  if (step && length) {
    highlight((highlighted + step + length) % length);
    choseByArrow = true;
  } else if (event.key === "Tab" && (length || loading)) {
    afterLoading((entry) => entry && accept(entry));
  } else if (event.key === "Enter") {
    afterLoading((entry) => (entry && (offer.picks || choseByArrow) ? accept(entry) : send()));
  } else if (event.key === "Escape" && isCommand()) {
    if (box.hidden || offer.picks) setLine("");
    else showOffer(NO_OFFER);
  } else return;
  event.preventDefault();
}

text.addEventListener("keydown", onKey);
text.addEventListener("input", () => setLine(text.value));
for (const kind of ["focus", "click", "selectionchange"]) text.addEventListener(kind, suggest);
text.addEventListener("blur", () => {
  suggestedFor = "";
  showOffer(NO_OFFER);
});
// Pressing a suggestion must not take the focus from the line.
box.addEventListener("mousedown", (event) => event.preventDefault());
find("file").addEventListener("change", () => {
  showFile(find("file").files[0]);
  text.focus();
});
find("slash").addEventListener("click", () => startCommand());
find("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
