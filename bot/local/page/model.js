// What this page knows: who is there, which channels there are and what is unread in them.

export const model = {
  me: null,
  guild: { id: "", name: "" },
  connected: false, // the bot is
  users: new Map(),
  channels: new Map(),
  open: null, // the id of the channel that is shown
};

export const title = (channel) => (channel.type === 1 ? "Motu (private)" : channel.name);
export const isThread = (channel) => channel.type === 11 || channel.type === 12;
export const isArchived = (channel) => Boolean(channel.thread_metadata?.archived);
export const isUnread = (channel) => isNewer(channel.last_message_id ?? "0", channel.seen);
export const isPrivate = (message) => Boolean(message.flags & 64);
export const isNewer = (id, other) => BigInt(id) > BigInt(other);

/** Take the greeting in. */
export function greet({ me, guild, connected, users, channels = [] }) {
  Object.assign(model, { me, guild, connected, open: null });
  model.users = new Map(users.map((user) => [user.id, user]));
  model.channels = new Map(channels.map((channel) => [channel.id, channel]));
}

/** A channel is new or has changed; what was unread stays so. */
export function putChannel(channel) {
  const { seen, calls } = model.channels.get(channel.id) ?? { seen: "0", calls: 0 };
  model.channels.set(channel.id, { ...channel, seen, calls });
}

/** Something was said in a channel. */
export function noteMessage(message) {
  const channel = model.channels.get(message.channel_id);
  if (!channel || isPrivate(message)) return;
  channel.last_message_id = message.id;
  if (message.pings.includes(model.me)) channel.calls += 1;
}

/** A channel was seen up to a message. */
export function noteSeen(id, message) {
  const channel = model.channels.get(id);
  if (channel && isNewer(message, channel.seen)) Object.assign(channel, { seen: message, calls: 0 });
}

/** The players, the bot left out. */
export function players() {
  return [...model.users.values()].filter((user) => !user.bot);
}

/** Text channels, each with its threads below it, those of late first; then private ones. */
export function places() {
  const all = [...model.channels.values()];
  const newest = (channel) => channel.last_message_id ?? channel.id;
  const byAge = (a, b) => isArchived(a) - isArchived(b) || (isNewer(newest(a), newest(b)) ? -1 : 1);
  const threads = all.filter(isThread).sort(byAge);
  const tops = all.filter((channel) => channel.type === 0).sort((a, b) => a.position - b.position);
  const withThreads = tops.flatMap((top) => [top, ...threads.filter((thread) => thread.parent_id === top.id)]);
  return [...withThreads, ...all.filter((channel) => channel.type === 1)];
}
