// The page's texts for refusals, and for suggestions that come up empty.

const REFUSED = {
  channel_gone: () => "That channel is gone.",
  clock_range: ({ most }) => `You can move the clock forward by at most ${most} hours at a time.`,
  field_length: ({ low, high }) => (low ? `This needs ${low} to ${high} characters.` : `This can have up to ${high} characters.`),
  field_missing: ({ field }) => `${field} is still empty.`,
  file_too_large: ({ field }) => `The file for ${field} is too large.`,
  form_gone: () => "This form is out of date. Cancel it and open it again.",
  given_twice: ({ option }) => `You've typed the option ${option} twice.`,
  message_gone: () => "That message is gone.",
  message_length: ({ most }) => `Messages can have up to ${most} characters.`,
  name_length: ({ most }) => `Names can have up to ${most} characters.`,
  name_taken: ({ name }) => `There's already a player called ${name}.`,
  no_command: ({ command }) => `There's no command /${command}. Type / to see them all.`,
  no_option: ({ option, has = [] }) => `There's no option ${option}.${has.length ? ` Options: ${has.join(", ")}.` : ""}`,
  no_options: ({ command }) => `/${command} has no options.`,
  needs_file: ({ option }) => `Press + and choose a file for ${option}.`,
  needs_permission: ({ command }) => `You can't use /${command}: it needs the permission Manage Server.`,
  no_file: ({ command }) => `/${command} doesn't take a file.`,
  nobody: () => "Choose a player first.",
  not_listed: ({ option, value }) => `“${value}” isn't one of the choices for ${option}.`,
  not_private: () => "You can only dismiss messages that nobody else sees.",
  number_chosen: ({ low, high }) => (low === high ? `Choose exactly ${low}.` : `Choose ${low} to ${high}.`),
  option_length: ({ option, low, high }) => `${option} needs ${low} to ${high} characters.`,
  option_missing: ({ option, description }) => `Missing: ${option} (${description}).`,
  thread_archived: () => "This thread is archived.",
  thread_locked: () => "This thread is locked.",
  too_many_players: ({ most }) => `The table is full: there are already ${most} players.`,
};

const NOTES = {
  no_such_command: "No such command",
  nothing_fits: "No options match",
  not_loaded: "Couldn't load the options",
};

export const TOO_LARGE = "That file is too large.";
export const MISSING = "Please fill this in.";
export const FAILED = "This interaction failed";

/** Return why something was refused, in words. */
export function refusal(why, facts) {
  return REFUSED[why]?.(facts) ?? "That didn't work.";
}

/** Return how many options can be chosen. */
export function choose(least, most) {
  if (!least) return `Choose up to ${most}.`;
  return least === most ? `Choose ${most}.` : `Choose ${least} to ${most}.`;
}

/** Return the shown name of a channel; direct messages have the bot's name. */
export function placeName({ kind, name }) {
  return kind === "private" ? `${name} (private)` : name;
}

/** Return the text that is shown instead of suggestions. */
export function note(name) {
  return NOTES[name] ?? "";
}

/** Return a description of the option being typed, and the names of the others. */
export function hint({ option, description = "", others = [] }) {
  const text = option ? `${option}: ${description}` : description;
  return others.length ? `${text} · also ${others.join(", ")}` : text;
}
