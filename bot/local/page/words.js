// What the page says when something cannot be done, and where there is nothing to offer.

const REFUSED = {
  channel_gone: () => "That channel is gone.",
  clock_range: ({ most }) => `The clock is moved forward by at most ${most} hours at once.`,
  given_twice: ({ option }) => `The option ${option} is given twice.`,
  message_gone: () => "That message is gone.",
  message_length: ({ most }) => `A message has 1 to ${most} characters.`,
  name_length: ({ most }) => `A name has 1 to ${most} characters.`,
  name_taken: ({ name }) => `There is a ${name} already.`,
  no_command: ({ command }) => `There is no command /${command}.`,
  no_option: ({ option, has = [] }) => `There is no option ${option}${has.length ? `: there is ${has.join(", ")}` : ""}.`,
  no_options: ({ command }) => `/${command} has no options.`,
  needs_file: ({ option }) => `Choose a file for ${option} with the paper clip.`,
  no_file: ({ command }) => `/${command} takes no file.`,
  nobody: () => "Choose a player first.",
  not_listed: ({ option, value }) => `“${value}” is not in the list of ${option}.`,
  not_private: () => "Only messages for you alone can be dismissed.",
  option_length: ({ option, low, high }) => `The option ${option} has ${low} to ${high} characters.`,
  option_missing: ({ option, description }) => `Missing: ${option} (${description}).`,
  thread_archived: () => "This thread is archived.",
  thread_locked: () => "This thread is locked.",
  too_many_players: ({ most }) => `There are ${most} players already.`,
};

const NOTES = {
  no_such_command: "There is no such command",
  nothing_fits: "No options match",
  not_loaded: "Options could not be loaded",
};

export const TOO_LARGE = "That file is too large.";
export const FAILED = "This interaction failed";

/** Why something was refused. */
export function refusal(why, facts) {
  return REFUSED[why]?.(facts) ?? "That cannot be done.";
}

/** What a channel is called; the private one has the bot's name. */
export function placeName({ kind, name }) {
  return kind === "private" ? `${name} (private)` : name;
}

/** What is said where there is nothing to offer. */
export function note(name) {
  return NOTES[name] ?? "";
}

/** What is being typed, and what else could be. */
export function hint({ option, description = "", others = [] }) {
  const said = option ? `${option}: ${description}` : description;
  return others.length ? `${said} · also ${others.join(", ")}` : said;
}
