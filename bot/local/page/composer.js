// The line at the bottom: messages, and slash commands. The server knows what could be typed; Tab puts it in.

import { el, find, words } from "./dom.js";
import { post } from "./log.js";
import { model } from "./model.js";
import { ask } from "./socket.js";
import * as say from "./words.js";

const PAUSE = 60; // milliseconds without a key before suggestions are asked for
const LARGEST_FILE = 500_000; // bytes
const NOTHING = { entries: [], hint: {}, note: "" };

const text = find("text");
const box = find("suggestions");
let offer = NOTHING; // what could be typed; `picks` where Enter takes it, too
let at = -1; // which entry is highlighted
let wasMoved = false; // an arrow key chose it
let known = ""; // the line that the suggestions are for
let asking = null; // settles when they are there
let doing = Promise.resolve(); // what the last keys set going

const isCommand = () => text.value.startsWith("/");
const typed = () => `${text.selectionStart} ${text.value}`;

/** Begin a command, as `/` does. */
export function startCommand(name = "") {
  text.focus();
  fill(`/${name}`);
}

function fill(line, refusal = "") {
  text.value = line;
  find("refusal").textContent = refusal;
  suggest();
}

// Suggestions

function suggest() {
  if (typed() === known) return;
  known = typed();
  const mine = load(known).finally(() => {
    if (asking === mine) asking = null;
  });
  asking = mine;
}

/** Ask what could be typed; a late answer to an earlier question is not shown. */
async function load(wanted) {
  if (!isCommand() || document.activeElement !== text) return show(NOTHING);
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (wanted !== known) return;
  const { value: line, selectionStart: caret } = text;
  const answer = await ask({ do: "suggest", channel: model.open, line, caret });
  if (wanted === known) show({ ...NOTHING, ...answer });
}

function show(found) {
  offer = found;
  wasMoved = false;
  const lines = offer.entries.map((entry, index) => {
    const attributes = { role: "option", id: `suggestion-${index}`, onclick: () => take(entry) };
    return el("div.entry", attributes, words(entry));
  });
  find("hint").textContent = say.hint(offer.hint);
  box.replaceChildren(...(lines.length ? lines : [el("p.note", say.note(offer.note))]));
  box.hidden = !lines.length && !offer.note;
  highlight(lines.length ? 0 : -1);
}

function highlight(index) {
  at = index;
  [...box.children].forEach((one, number) => one.setAttribute("aria-selected", number === at));
  box.children[at]?.scrollIntoView({ block: "nearest" });
  text.ariaExpanded = !box.hidden;
  text.setAttribute("aria-activedescendant", at < 0 ? "" : `suggestion-${at}`);
}

function take(entry) {
  text.setRangeText(entry.text, entry.start, entry.end, "end");
  if (/[ :]$/.test(entry.text)) return suggest();
  known = typed();
  return show({ ...NOTHING, hint: { description: entry.label } });
}

// Sending

/** The file that was chosen for a command, as the server takes it. */
async function chosenFile() {
  const [file] = find("file").files;
  if (!file) return undefined;
  if (file.size > LARGEST_FILE) throw new Error(say.TOO_LARGE);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const data = btoa(bytes.reduce((said, byte) => said + String.fromCharCode(byte), ""));
  showFile(null);
  return { name: file.name, data };
}

/** Say which file goes with the command; without one, forget it. */
function showFile(file) {
  if (!file) find("file").value = "";
  find("attach").dataset.name = file?.name ?? "";
}

async function send() {
  const line = text.value;
  if (!line.trim()) return;
  const wasCommand = isCommand();
  let file;
  try {
    if (wasCommand) file = await chosenFile();
  } catch (error) {
    showFile(null);
    return fill(line, error.message);
  }
  const sending = el("p.thinking", { role: "status" }, `Sending ${line}…`);
  const notice = el("article.message.notice.private", sending);
  if (wasCommand) post(notice, true);
  fill("");
  const { t: outcome, why } = await ask({ do: "send", channel: model.open, line, file });
  if (wasCommand && outcome === "failed") {
    const dismiss = el("button.plain", { onclick: () => notice.remove() }, "Dismiss message");
    notice.replaceChildren(el("p.error", { role: "alert" }, `${line}: ${why}`), dismiss);
  } else {
    notice.remove();
    if (why) fill(text.value || line, why);
  }
}

// Keys

/** Do something once the suggestions are those for what is typed, and the keys before have done their work. */
function soon(action) {
  doing = doing.then(async () => {
    while (asking) await asking;
    action(offer.entries[at]);
  });
}

function key(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { length } = offer.entries;
  if (event.isComposing || event.shiftKey) return;
  if (step && length) {
    highlight((at + step + length) % length);
    wasMoved = true;
  } else if (event.key === "Tab" && (length || asking)) soon((entry) => entry && take(entry));
  else if (event.key === "Enter") soon((entry) => (entry && (offer.picks || wasMoved) ? take(entry) : send()));
  else if (event.key === "Escape" && isCommand()) {
    if (box.hidden || offer.picks) fill("");
    else show(NOTHING);
  } else return;
  event.preventDefault();
}

text.addEventListener("keydown", key);
text.addEventListener("input", () => fill(text.value));
for (const kind of ["focus", "click", "selectionchange"]) text.addEventListener(kind, suggest);
text.addEventListener("blur", () => {
  known = "";
  show(NOTHING);
});
// A press must not take the focus from the line.
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
