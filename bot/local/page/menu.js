// A menu of a message: pressed, it unfolds its options.

import { el, words } from "./dom.js";

/** A menu; `act` sends what was chosen. */
export function menu(part, act) {
  const { options } = part;
  const title = part.placeholder ?? "Make a selection";
  const chosen = options.filter((option) => option.default).map((option) => option.label).join(", ");
  const label = chosen ? `${title}: ${chosen}` : title;
  const face = el("summary.face", { "aria-label": label, "data-id": part.custom_id }, chosen || el("i", title));
  const choose = (values) => {
    unfolding.open = false;
    face.focus();
    act(face, { do: "choose", id: part.custom_id, values });
  };
  const list = part.max_values > 1 ? several(part, options, choose) : one(options, choose);
  // Of those that share a name only one is unfolded.
  const unfolding = el("details.menu", { name: "menu", inert: part.disabled }, face, list);
  unfolding.addEventListener("keydown", (event) => walk(event, unfolding));
  unfolding.addEventListener("toggle", () => unfolding.open && unfolding.scrollIntoView({ block: "nearest" }));
  return unfolding;
}

function one(options, choose) {
  const lines = options.map((option) => {
    const attributes = { "aria-pressed": option.default && "true", onclick: () => choose([option.value]) };
    return el("button.entry", attributes, words(option));
  });
  return el("div.list", lines);
}

function several({ min_values: least = 1, max_values: most }, options, choose) {
  const boxes = options.map((one) => el("input", { type: "checkbox", value: one.value, checked: one.default }));
  const ready = el("button.button.primary", { type: "submit" }, "Choose");
  const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const limit = () => {
    const count = checked().length;
    for (const box of boxes) box.disabled = !box.checked && count >= most;
    ready.disabled = count < least;
  };
  const submit = (event) => {
    event.preventDefault();
    choose(checked());
  };
  limit();
  const note = el("p.note", `${least} to ${most} of these`);
  const lines = options.map((option, at) => el("label.entry", boxes[at], words(option)));
  return el("form.list", { oninput: limit, onsubmit: submit }, note, lines, ready);
}

/** Arrows go from option to option, Esc folds the menu up. */
function walk(event, unfolding) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" && unfolding.open) {
    unfolding.open = false;
    unfolding.firstChild.focus();
  } else if (step) {
    unfolding.open = true;
    const stops = [...unfolding.querySelectorAll("summary, .list :is(button, input):enabled")];
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
