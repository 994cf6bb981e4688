// A menu of a message: pressed, it unfolds its options.

import { el, words } from "./dom.js";

/** A menu; `act` sends what was chosen. */
export function menu(part, act) {
  const { custom_id: id, options, placeholder: title = "Make a selection", disabled: inert } = part;
  const chosen = options.filter((option) => option.default).map((option) => option.label).join(", ");
  const label = chosen ? `${title}: ${chosen}` : title;
  const face = el("summary.face", { "aria-label": label, "data-id": id }, chosen || el("i", title));
  const choose = (values) => {
    unfolding.open = false;
    face.focus();
    act(face, { do: "choose", id, values });
  };
  const list = part.max_values > 1 ? several(part, choose) : one(options, choose);
  const ontoggle = () => unfolding.open && unfolding.scrollIntoView({ block: "nearest" });
  // Of those that share a name only one is unfolded.
  const unfolding = el("details.menu", { name: "menu", inert, onkeydown: walk, ontoggle }, face, list);
  return unfolding;
}

function one(options, choose) {
  return el("div.list", options.map((option) => {
    const attributes = { "aria-pressed": option.default && "true", onclick: () => choose([option.value]) };
    return el("button.entry", attributes, words(option));
  }));
}

function several({ options, min_values: least = 1, max_values: most }, choose) {
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
function walk(event) {
  const unfolding = event.currentTarget;
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
