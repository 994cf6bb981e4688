// What this page knows: who is there, the channels, the messages of those it has opened, and what is unread.

import { byAge } from "./dom.js";

export const model = {
  me: null,
  bot: null,
  connected: false,
  guild: { id: "", name: "" },
  users: new Map(),
  channels: new Map(),
  commands: [],
  messages: new Map(), // by channel: a list, oldest first, of those that are loaded
  more: new Map(), // by channel: whether there are older ones
};

/** Take the greeting in; what was loaded before is loaded anew. */
export function greet(hello) {
  model.me = hello.me;
  model.bot = hello.bot;
  model.guild = hello.guild;
  model.connected = hello.connected;
  model.users = new Map(hello.users.map((user) => [user.id, user]));
  model.channels = new Map((hello.channels || []).map((channel) => [channel.id, channel]));
  putCommands(hello.commands || []);
  model.messages.clear();
  model.more.clear();
}

/** The bot has registered its commands. */
export function putCommands(commands) {
  model.commands = commands.flatMap((command) => leaves(command, command.name));
}

/** Every command that can be typed, subcommands by their whole name. */
function leaves(command, name) {
  const options = command.options || [];
  const nested = options.filter((option) => option.type < 3);
  if (!nested.length) return [{ name, description: command.description, options }];
  return nested.flatMap((option) => leaves(option, `${name} ${option.name}`));
}

/** A channel is new or has changed; what was unread stays so. */
export function putChannel(channel) {
  const known = model.channels.get(channel.id) || { seen: "0", calls: 0 };
  model.channels.set(channel.id, { ...channel, seen: known.seen, calls: known.calls });
}

/** The players, the bot left out. */
export function players() {
  return [...model.users.values()].filter((user) => !user.bot);
}

/** Text channels with their threads below them, then private ones. */
export function places() {
  const all = [...model.channels.values()];
  const open = (thread) => !thread.thread_metadata.archived;
  const threads = (id) =>
    all
      .filter((channel) => channel.parent_id === id)
      .sort((a, b) => open(b) - open(a) || byAge(b.last_message_id || b.id, a.last_message_id || a.id));
  const tops = all.filter((channel) => channel.type === 0).sort((a, b) => a.position - b.position);
  return [...tops.flatMap((top) => [top, ...threads(top.id)]), ...all.filter((channel) => channel.type === 1)];
}

/** What a channel is called. */
export function title(channel) {
  return channel.type === 1 ? "Motu (private)" : channel.name;
}

export function isThread(channel) {
  return channel.type === 11 || channel.type === 12;
}

export function isUnread(channel) {
  return Boolean(channel.last_message_id) && byAge(channel.last_message_id, channel.seen || "0") > 0;
}

/** A message was made or changed. */
export function putMessage(message, isNew) {
  const channel = model.channels.get(message.channel_id);
  if (isNew && channel && !isPrivate(message)) {
    channel.last_message_id = message.id;
    if (message.pings.includes(model.me)) channel.calls = (channel.calls || 0) + 1;
  }
  const list = model.messages.get(message.channel_id);
  if (!list) return;
  const at = list.findIndex((other) => other.id === message.id);
  if (at >= 0) list[at] = message;
  else if (isNew) list.push(message);
}

/** A message is gone. */
export function dropMessage(message) {
  const list = model.messages.get(message.channel_id) || [];
  const at = list.findIndex((other) => other.id === message.id);
  if (at >= 0) list.splice(at, 1);
}

/** A page of older messages came. */
export function putHistory({ channel, messages, more }) {
  const known = model.messages.get(channel) || [];
  const ids = new Set(known.map((message) => message.id));
  model.messages.set(
    channel,
    [...messages.filter((message) => !ids.has(message.id)), ...known].sort((a, b) => byAge(a.id, b.id)),
  );
  model.more.set(channel, more);
}

/** A channel was seen up to a message. */
export function putSeen(id, message) {
  const channel = model.channels.get(id);
  if (channel && byAge(message, channel.seen || "0") > 0) Object.assign(channel, { seen: message, calls: 0 });
}

export function isPrivate(message) {
  return Boolean(message.flags & 64);
}

export function isThinking(message) {
  return Boolean(message.flags & 128);
}
