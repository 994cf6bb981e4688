// The state of this page: players, channels, and the channel that is shown.

export const model = {
  me: null, // the player who uses this tab
  guild: "",
  connected: false, // whether the bot is online
  ahead: 0, // seconds that the table's clock was moved forward
  players: [],
  places: [], // channels and threads: {id, name, kind, parent, archived, unread, calls}
  open: null, // id of the channel or thread that is shown
  living: null, // id of the message whose controls the player has used last
};

export const findPlace = (id) => model.places.find((place) => place.id === id);

/** Return the table's time in milliseconds. */
export const tableTime = () => Date.now() + model.ahead * 1000;
