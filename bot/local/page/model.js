// What this page knows: who is there, which channels there are, and which of them is shown.

export const model = {
  me: null, // the player who sits here
  guild: "",
  connected: false, // the bot is
  ahead: 0, // seconds that the table's clock was moved forward
  players: [],
  places: [], // channels and threads as the list shows them: {id, name, kind, parent, archived, unread, calls}
  open: null, // the id of the one that is shown
};

export const placeOf = (id) => model.places.find((place) => place.id === id);

/** The time at this table, in milliseconds. */
export const tableTime = () => Date.now() + model.ahead * 1000;
