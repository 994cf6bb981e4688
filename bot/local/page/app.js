// The page: what happens at the local Discord is shown, what the player does is sent there.

import { Composer } from "./composer.js";
import { arrange, byAge, el } from "./dom.js";
import { Line } from "./line.js";
import { follows, notice, show } from "./message.js";
import { drawSidebar, seat } from "./sidebar.js";
import {
  dropMessage,
  greet,
  isPrivate,
  isThread,
  isUnread,
  model,
  putChannel,
  putCommands,
  putHistory,
  putMessage,
  putSeen,
  title,
} from "./model.js";

const find = (id) => document.getElementById(id);
const log = find("messages");
const NEAR = 80;

let open = null; // the channel that is shown
let newFrom = null; // the message after which "new" stands
let notices = []; // lines of this page's own
let drawn = new Map(); // message id: {message, together, node}
let atEnd = true; // the newest message stays in sight
let lastTop = 0;

const line = new Line(new URLSearchParams(location.search).get("as"), hear, drawStatus);

const composer = new Composer({
  place: () => model.channels.get(open),
  say: (content) => line.ask({ do: "say", channel: open, content }),
  run: runCommand,
  complete: (command, options, focused) => line.ask({ do: "complete", channel: open, command, options, focused }),
});

// What happens

const EVENTS = {
  message_create: ({ message }) => putMessage(message, true),
  message_update: ({ message }) => putMessage(message, false),
  message_delete: ({ message }) => dropMessage(message),
  channel: ({ channel }) => {
    putChannel(channel);
    if (channel.id === open) drawPlace();
  },
  channel_delete: ({ channel }) => {
    model.channels.delete(channel.id);
    if (channel.id === open) goHome();
  },
  member_add: ({ user }) => model.users.set(user.id, user),
  member_remove: ({ user }) => model.users.delete(user.id),
  commands: ({ commands }) => putCommands(commands),
  seen: ({ channel, message }) => putSeen(channel, message),
  bot: ({ connected }) => {
    model.connected = connected;
    drawStatus(true);
  },
};

function hear(packet) {
  if (packet.t === "hello") return begin(packet);
  EVENTS[packet.t]?.(packet);
  if (packet.message && packet.message.channel_id === open) {
    // Whoever asked for a private answer wants to see it.
    if (packet.t === "message_create" && isPrivate(packet.message)) atEnd = true;
    drawMessages();
  }
  see();
  return drawSidebar(open);
}

function begin(hello) {
  greet(hello);
  drawn = new Map();
  drawStatus(true);
  const me = model.users.get(model.me);
  if (!me) return strangers();
  if (new URLSearchParams(location.search).get("as") === null) history.replaceState(null, "", seat(me.global_name));
  return enter();
}

function strangers() {
  drawSidebar(null);
  document.body.classList.add("listed");
  log.replaceChildren(
    el("p", { class: "welcome" }, "Nobody of that name is here. Choose a player from the list, or add one."),
  );
}

function goHome() {
  const first = [...model.channels.values()].find((channel) => channel.type === 0);
  if (first) location.hash = first.id;
}

/** Show the channel that the address names. */
async function enter() {
  const [channel, message] = location.hash.slice(1).split("/");
  if (!model.channels.has(channel)) return goHome();
  const place = model.channels.get(channel);
  if (channel !== open) notices = [];
  if (channel !== open || !newFrom) newFrom = isUnread(place) ? place.seen : null;
  open = channel;
  atEnd = true;
  document.body.classList.remove("listed");
  find("burger").setAttribute("aria-expanded", "false");
  drawPlace();
  if (!model.messages.has(channel)) await older();
  drawMessages();
  see();
  drawSidebar(open);
  return message && showMessage(message);
}

async function older() {
  const channel = open;
  const [first] = model.messages.get(channel) || [];
  const answer = await line.ask({ do: "history", channel, before: first ? first.id : null });
  if (answer.t === "history") putHistory(answer);
  if (channel === open) drawMessages();
}

async function showMessage(id) {
  while (!find(`m${id}`) && model.more.get(open)) await older();
  const node = find(`m${id}`);
  if (!node) return;
  atEnd = false;
  node.scrollIntoView({ block: "center" });
  node.classList.add("found");
  setTimeout(() => node.classList.remove("found"), 2000);
}

/** Tell that the newest message of this channel was seen, if it was. */
function see() {
  const channel = model.channels.get(open);
  if (!channel || !atEnd || document.hidden || !isUnread(channel)) return;
  line.tell({ do: "see", channel: open, message: channel.last_message_id });
  putSeen(open, channel.last_message_id);
}

// What is shown

function drawStatus(up) {
  const said = !up ? "Connection lost, trying again…" : model.connected || !model.me ? "" : "Motu is offline";
  find("status").textContent = said;
}

function drawPlace() {
  const channel = model.channels.get(open);
  const parent = isThread(channel) && model.channels.get(channel.parent_id);
  const trail = parent ? [el("a", { href: `#${parent.id}` }, `# ${parent.name}`), " › "] : [];
  find("place").replaceChildren(...trail, `${channel.type === 0 ? "# " : ""}${title(channel)}`);
  const archived = isThread(channel) && channel.thread_metadata.archived;
  find("archived").hidden = !archived;
  find("composer").hidden = archived;
  composer.moved(channel);
}

function drawMessages() {
  const messages = model.messages.get(open) || [];
  const focus = focusedControl();
  const before = drawn;
  const fromEnd = log.scrollHeight - log.scrollTop;
  drawn = new Map();
  const nodes = [
    model.more.get(open) ? olderButton : welcome(),
    ...messages.flatMap((message, at) => block(message, messages[at - 1], before)),
  ];
  arrange(log, [...nodes, ...notices.map((one) => one.node)]);
  restoreFocus(focus);
  const grewAbove = before.size && messages.length && !before.has(messages[0].id);
  if (atEnd) log.scrollTop = log.scrollHeight;
  else if (grewAbove) log.scrollTop = log.scrollHeight - fromEnd;
  find("newest").hidden = atEnd;
}

function block(message, previous, before) {
  const old = before.get(message.id);
  const isNew =
    newFrom && byAge(message.id, newFrom) > 0 && (!previous || byAge(previous.id, newFrom) <= 0) && !isPrivate(message);
  const together = !isNew && follows(message, previous);
  const same = old && old.message === message && old.together === together;
  const node = same ? old.node : show(message, line, { together, old: old && old.node });
  drawn.set(message.id, { message, together, node });
  return isNew ? [newLine, node] : [node];
}

const newLine = el("div", { class: "new", role: "separator" }, el("span", {}, "New"));
const olderButton = el("button", { type: "button", class: "older", onclick: older }, "Show older messages");
let welcomed = null;

function welcome() {
  const channel = model.channels.get(open);
  if (welcomed && welcomed.id === open) return welcomed.node;
  const start = el(
    "button",
    { type: "button", class: "button primary", onclick: () => composer.start("game new ") },
    "Start a game",
  );
  const text = isThread(channel)
    ? [
        el(
          "p",
          {},
          "The match is played here. Press ",
          el("b", {}, "Your move"),
          " under the board, or type ",
          el("code", {}, "/play"),
          ".",
        ),
      ]
    : [
        el(
          "p",
          {},
          "Type ",
          el("code", {}, "/"),
          " to see what Motu can do; ",
          el("code", {}, "/game new"),
          " opens a lobby.",
        ),
        el("p", {}, "You can play every seat: choose a player in the list, or open one in a tab of its own (↗)."),
        start,
      ];
  welcomed = {
    id: open,
    node: el("div", { class: "welcome" }, el("h2", {}, `${channel.type === 0 ? "# " : ""}${title(channel)}`), ...text),
  };
  return welcomed.node;
}

/** Which control of which message has the focus, so that its successor gets it. */
function focusedControl() {
  const holder = document.activeElement && document.activeElement.closest(".message[id]");
  if (!holder) return null;
  const all = [...holder.querySelectorAll("button, a, [tabindex]")];
  return {
    message: holder.id,
    control: document.activeElement.dataset.id,
    at: all.indexOf(document.activeElement),
    node: document.activeElement,
  };
}

function restoreFocus(focus) {
  if (!focus || document.contains(focus.node)) return;
  const holder = find(focus.message);
  if (!holder) return void find("text").focus();
  const all = [...holder.querySelectorAll("button, a, [tabindex]")].filter((one) => !one.disabled);
  const next =
    all.find((one) => focus.control && one.dataset.id === focus.control) || all[Math.min(focus.at, all.length - 1)];
  if (next) next.focus({ preventScroll: true });
}

async function runCommand(command, options) {
  const mine = { node: notice(`Sending /${command}…`) };
  const drop = () => {
    notices = notices.filter((one) => one !== mine);
    drawMessages();
  };
  notices.push(mine);
  atEnd = true;
  drawMessages();
  const answer = await line.ask({ do: "command", channel: open, command, options });
  if (answer.t === "answered") return drop();
  const why = answer.t === "refused" ? answer.why : "This interaction failed";
  mine.node = notice(`/${command}: ${why}`, { error: true, dismiss: drop });
  return drawMessages();
}

// What the player does

window.addEventListener("hashchange", () => model.me && enter());
document.addEventListener("visibilitychange", () => {
  see();
  drawSidebar(open);
});
log.addEventListener("scroll", () => {
  // What grows below the end leaves it behind; only scrolling up means to leave it.
  if (log.scrollHeight - log.scrollTop - log.clientHeight < NEAR) atEnd = true;
  else if (log.scrollTop < lastTop) atEnd = false;
  lastTop = log.scrollTop;
  find("newest").hidden = atEnd;
  if (atEnd) see();
});
new ResizeObserver(() => atEnd && (log.scrollTop = log.scrollHeight)).observe(log);
log.addEventListener("load", () => atEnd && (log.scrollTop = log.scrollHeight), true);
find("newest").addEventListener("click", () => (log.scrollTop = log.scrollHeight));
find("reopen").addEventListener("click", () => line.tell({ do: "reopen", channel: open }));

function toggleList(shown) {
  document.body.classList.toggle("listed", shown);
  find("burger").setAttribute("aria-expanded", String(shown));
}
find("burger").addEventListener("click", () => toggleList(!document.body.classList.contains("listed")));
find("shade").addEventListener("click", () => toggleList(false));

// Another player is another page: nothing of the one before stays in it.
find("players").addEventListener("click", (event) => {
  const link = event.target.closest("a.player");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    location.href = link.getAttribute("href").replace(/#.*/, "") + location.hash;
  }
});

find("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = find("join-name").value.trim();
  if (!name) return;
  const answer = await line.ask({ do: "join", name });
  find("join-error").textContent = answer.t === "joined" ? "" : answer.why || "That did not work";
  if (answer.t === "joined") find("join-name").value = "";
  if (answer.t === "joined" && !model.me) location.href = seat(answer.name);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, dialog");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    composer.start();
  } else if (event.key === "Escape" && !typing) toggleList(false);
});
