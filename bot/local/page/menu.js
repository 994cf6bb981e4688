// A menu of a message: pressed, it unfolds its options.

import { el, entryText } from "./dom.js";
import { request } from "./socket.js";

const TEXTS = 3; // Discord's type of a menu of texts; the others offer people, roles or channels

/** Return the element of a menu; `act` sends what was chosen. */
export function menu(part, act) {
  const { custom_id: id, options, placeholder: title = "Make a selection", disabled: inert } = part;
  const chosen = options.filter((option) => option.default).map((option) => option.label).join(", ");
  const label = chosen ? `${title}: ${chosen}` : title;
  const face = el("summary.face", { "aria-label": label, "data-id": id }, chosen || el("i", title));
  const choose = (values) => {
    details.open = false;
    face.focus();
    act(face, { do: "choose", id, values });
  };
  const makeList = (offered) => (
    part.max_values > 1 ? multipleChoiceForm({ ...part, options: offered }, choose) : singleChoiceList(offered, choose)
  );
  const ontoggle = async () => {
    if (!details.open) return;
    if (part.type !== TEXTS) {
      // Somebody may have joined since the message was sent.
      const message = details.closest(".message").id.slice(1);
      const { options: current = options } = await request({ do: "options", message, id });
      if (JSON.stringify(current) !== JSON.stringify(options)) details.lastChild.replaceWith(makeList(current));
    }
    details.scrollIntoView({ block: "nearest" });
  };
  // Browsers keep at most one <details> of a name open.
  const details = el("details.menu", { name: "menu", inert, onkeydown: onKey, ontoggle }, face, makeList(options));
  return details;
}

function singleChoiceList(options, choose) {
  return el("div.list", options.map((option) => {
    const attributes = { "aria-pressed": option.default && "true", onclick: () => choose([option.value]) };
    return el("button.entry", attributes, entryText(option));
  }));
}

function multipleChoiceForm({ options, min_values: least = 1, max_values: most }, choose) {
  const boxes = options.map((option) => el("input", { type: "checkbox", value: option.value, checked: option.default }));
  const submitButton = el("button.button.primary", { type: "submit" }, "Choose");
  const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const applyLimits = () => {
    const count = checked().length;
    for (const box of boxes) box.disabled = !box.checked && count >= most;
    submitButton.disabled = count < least;
  };
  const submit = (event) => {
    event.preventDefault();
    choose(checked());
  };
  applyLimits();
  const note = el("p.note", `${least} to ${most} of these`);
  const lines = options.map((option, index) => el("label.entry", boxes[index], entryText(option)));
  return el("form.list", { oninput: applyLimits, onsubmit: submit }, note, lines, submitButton);
}

/** Move between options with the arrow keys, and close the menu with Esc. */
function onKey(event) {
  const details = event.currentTarget;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" && details.open) {
    details.open = false;
    details.firstChild.focus();
  } else if (step) {
    details.open = true;
    const focusable = [...details.querySelectorAll("summary, .list :is(button, input):enabled")];
    focusable.at((focusable.indexOf(document.activeElement) + step) % focusable.length).focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
