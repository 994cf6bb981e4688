// What can be pressed and chosen in a message, and the layout around it.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { fileLink, picture } from "./media.js";
import { Menu } from "./menu.js";
import { openModal } from "./modal.js";

const LOOKS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const FAILED = "This interaction failed";

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
      return picture(part.media, part.description);
    case 12:
      return el("div", { class: "gallery" }, ...part.items.map((item) => picture(item.media, item.description)));
    case 13:
      return fileLink(part.file.url, decodeURIComponent(new URL(part.file.url).pathname.split("/").at(-1)));
    case 14:
      return el("hr");
    case 17:
      return el("div", { class: "container" }, ...inside());
    default:
      return new Menu(part, (source, values) => act(source, { do: "choose", id: part.custom_id, values })).node;
  }
}

function button(part, act) {
  const label = [part.emoji && part.emoji.name, part.label].filter(Boolean).join(" ");
  if (part.style === 5) {
    return el(
      "a",
      { class: "button link", href: part.url, target: "_blank", rel: "noopener noreferrer" },
      `${label} ↗`,
    );
  }
  const made = el("button", { type: "button", class: `button ${LOOKS[part.style]}`, "data-id": part.custom_id }, label);
  made.disabled = Boolean(part.disabled);
  made.addEventListener("click", () => act(made, { do: "click", id: part.custom_id }));
  return made;
}
