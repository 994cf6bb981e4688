// Buttons, menus and modals.

import { el, nameOf } from "./dom.js";
import { List } from "./list.js";
import { markdown } from "./markdown.js";
import { model, players } from "./model.js";

const LOOKS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const FAILED = "This interaction failed";
let count = 0;

/** The components of a message; `ask` sends what was done and gives the answer. */
export function controls(message, ask) {
  const error = el("p", { class: "error", role: "alert", hidden: true });
  const act = async (source, packet) => {
    if (source.getAttribute("aria-busy") === "true") return;
    error.hidden = true;
    source.setAttribute("aria-busy", "true");
    const answer = await ask({ ...packet, message: message.id });
    source.removeAttribute("aria-busy");
    error.textContent = answer.t === "refused" ? answer.why : FAILED;
    error.hidden = answer.t !== "failed" && answer.t !== "refused";
    if (answer.t === "modal") openModal(answer, ask);
  };
  const made = message.components.map((part) => component(part, act));
  return made.length ? [el("div", { class: "components" }, ...made), error] : [];
}

function component(part, act) {
  const inside = () => (part.components || []).map((child) => component(child, act));
  switch (part.type) {
    case 1:
      return el("div", { class: "row" }, ...inside());
    case 2:
      return button(part, act);
    case 9:
      return el("div", { class: "section" }, el("div", {}, ...inside()), component(part.accessory, act));
    case 10:
      return el("div", { class: "markdown" }, ...markdown(part.content));
    case 11:
      return picture(part.media.url, part.description);
    case 12:
      return el("div", { class: "gallery" }, ...part.items.map((item) => picture(item.media.url, item.description)));
    case 13:
      return fileLink(part.file.url, decodeURIComponent(new URL(part.file.url).pathname.split("/").at(-1)));
    case 14:
      return el("hr");
    case 17:
      return el("div", { class: "container" }, ...inside());
    default:
      return menu(part, (source, values) => act(source, { do: "choose", id: part.custom_id, values }));
  }
}

function button(part, act) {
  const label = [part.emoji && part.emoji.name, part.label].filter(Boolean).join(" ");
  if (part.style === 5) {
    return el("a", { class: "button link", href: part.url, target: "_blank", rel: "noopener noreferrer" }, `${label} ↗`);
  }
  const made = el("button", { type: "button", class: `button ${LOOKS[part.style]}`, "data-id": part.custom_id }, label);
  made.disabled = Boolean(part.disabled);
  made.addEventListener("click", () => act(made, { do: "click", id: part.custom_id }));
  return made;
}

function optionsOf(part) {
  if (part.type === 3) return part.options.map((option) => ({ ...option, chosen: Boolean(option.default) }));
  const people = part.type === 5 || part.type === 7 ? players() : [];
  return people.map((user) => ({ label: nameOf(user), value: user.id, chosen: false }));
}

/** A menu; `choose` gets the menu's button and the values. With several to choose, closing it sends them. */
function menu(part, choose) {
  const least = part.min_values ?? 1;
  const most = part.max_values ?? 1;
  const options = optionsOf(part);
  const named = part.placeholder || "Make a selection";
  count += 1;
  const box = el("div", { class: "list drop", role: "listbox", id: `menu-${count}`, "aria-label": named, hidden: true });
  const face = el("button", {
    type: "button",
    class: "face",
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    "aria-controls": box.id,
    "data-id": part.custom_id,
  });
  face.disabled = Boolean(part.disabled);
  const chosen = () => options.filter((option) => option.chosen);
  const draw = () => {
    const picked = chosen().map((option) => option.label).join(", ");
    face.replaceChildren(el("span", { class: picked ? "" : "placeholder" }, picked || named));
    face.setAttribute("aria-label", picked ? `${named}: ${picked}` : named);
  };
  const entries = () => options.map((option) => ({ ...option, chosen: most > 1 ? option.chosen : undefined, option }));
  const before = () => JSON.stringify(chosen().map((option) => option.value));
  let opened = before();
  const close = (send) => {
    if (!list.isOpen) return;
    list.hide();
    const many = chosen().length;
    if (most > 1 && send && before() !== opened && many >= least && many <= most) {
      choose(face, chosen().map((option) => option.value));
    }
    draw();
  };
  const pick = ({ option }) => {
    if (most > 1) {
      if (option.chosen || chosen().length < most) option.chosen = !option.chosen;
      list.show(entries(), { at: options.indexOf(option), note: `Choose ${least} to ${most}, then press Esc or click elsewhere` });
      draw();
      return;
    }
    for (const other of options) other.chosen = other === option;
    close(false);
    choose(face, [option.value]);
  };
  const list = new List(box, pick, { multiple: most > 1 });
  const open = () => {
    opened = before();
    const note = most > 1 ? `Choose ${least} to ${most}, then press Esc or click elsewhere` : "";
    list.show(entries(), { note, at: Math.max(0, options.findIndex((option) => option.chosen)) });
    face.scrollIntoView({ block: "nearest" });
    box.scrollIntoView({ block: "nearest" });
  };
  face.addEventListener("click", () => (list.isOpen ? close(true) : open()));
  face.addEventListener("blur", () => close(true));
  face.addEventListener("keydown", (event) => menuKey(event, list, open, close, pick));
  draw();
  return el("div", { class: "menu" }, face, box);
}

function menuKey(event, list, open, close, pick) {
  const { key } = event;
  if (!list.isOpen) {
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      open();
    }
    return;
  }
  if (key === "ArrowDown") list.move(1);
  else if (key === "ArrowUp") list.move(-1);
  else if (key === "Enter" || key === " ") list.current && pick(list.current);
  else if (key === "Escape") close(true);
  else if (key === "Tab") return;
  else if (key.length === 1) jump(list, key.toLowerCase());
  event.preventDefault();
  event.stopPropagation();
}

function jump(list, letter) {
  const starts = (entry) => entry.label.toLowerCase().startsWith(letter);
  for (let step = 1; step <= list.entries.length; step += 1) {
    if (starts(list.entries[(list.at + step) % list.entries.length])) return list.move(step);
  }
  return null;
}

/** Where a file of this server is; pictures from elsewhere are not loaded. */
function local(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.startsWith("/attachments/") ? pathname + search : null;
}

/** A picture that a click enlarges. */
export function picture(url, description, size = {}) {
  const src = local(url);
  if (!src) return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, description || url);
  const alt = description || "";
  const image = el("img", { src, alt, width: size.width, height: size.height, decoding: "async" });
  const said = alt ? `Enlarge: ${alt}` : "Enlarge the picture";
  const shown = el("button", { type: "button", class: "picture", "aria-label": said, onclick: () => enlarge(src, alt) }, image);
  if (size.width && size.height) {
    // Its room is kept free until it is there.
    shown.classList.add("sized");
    shown.style.setProperty("--ratio", size.width / size.height);
    shown.style.setProperty("--natural", `${size.width}px`);
  }
  return shown;
}

function enlarge(src, alt) {
  const dialog = document.getElementById("picture");
  const image = el("img", { src, alt, title: "Click for its full size" });
  image.addEventListener("click", () => dialog.classList.toggle("full"));
  const close = el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕");
  const words = alt ? [el("details", {}, el("summary", {}, "Description"), el("p", {}, alt))] : [];
  dialog.classList.remove("full");
  dialog.replaceChildren(close, image, ...words);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}

/** A file that is no picture. */
export function fileLink(url, name, size) {
  const src = local(url);
  const bytes = size === undefined ? "" : size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} KB`;
  return el("a", { class: "file", href: src || url, download: name }, el("span", {}, name), el("small", {}, bytes));
}

function field(part, index) {
  if (part.type === 10) return { node: el("div", { class: "markdown" }, ...markdown(part.content)) };
  const item = part.component || part.components[0];
  const label = part.label || item.label;
  const id = `field-${index}`;
  const head = el("label", { for: id }, label, part.description && el("small", {}, part.description));
  if (item.type !== 4) {
    let values = optionsOf(item).filter((option) => option.chosen).map((option) => option.value);
    const choice = menu(item, (_, picked) => (values = picked));
    return { node: el("div", {}, head, choice), id: item.custom_id, value: () => values };
  }
  const needed = item.required ?? true;
  const input = el(item.style === 2 ? "textarea" : "input", {
    id,
    placeholder: item.placeholder,
    minlength: item.min_length || null,
    maxlength: item.max_length ?? 4000,
    required: needed,
    rows: item.style === 2 ? 5 : null,
  });
  input.value = item.value || "";
  return { node: el("div", {}, head, input), id: item.custom_id, value: () => input.value };
}

/** A form that the bot asks to be filled in. */
function openModal({ opened, modal }, ask) {
  const dialog = document.getElementById("modal");
  const fields = modal.components.map(field);
  const error = el("p", { class: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    const filled = Object.fromEntries(fields.filter((one) => one.id).map((one) => [one.id, one.value()]));
    const answer = await ask({ do: "submit", opened, fields: filled });
    if (answer.t === "answered") dialog.close();
    else error.textContent = answer.t === "refused" ? answer.why : FAILED;
  };
  const buttons = [
    el("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"),
    el("button", { type: "submit", class: "button primary" }, "Submit"),
  ];
  const head = el("h2", { id: "modal-title" }, modal.title);
  dialog.setAttribute("aria-labelledby", "modal-title");
  dialog.replaceChildren(el("form", { onsubmit: send }, head, ...fields.map((one) => one.node), error, el("div", { class: "row" }, ...buttons)));
  dialog.showModal();
}
