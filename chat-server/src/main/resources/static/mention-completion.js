import { element } from "./dom.js";
import { wholes } from "./mentions.js";

const MAX_OPTIONS = 8;
/** The beginning of a mention before the cursor. */
const BEGUN = /(?<![\w@.-])@([A-Za-z0-9._-]{0,64})$/;

/**
 * Offers members while the user types `@`: the arrow keys choose, Enter and Tab take the choice, Escape closes the list.
 * The focus stays in the input, and screen readers are told how many there are and which one is chosen.
 */
export class MentionCompletion {

	#options = [];
	#chosen = 0;

	/** The list is shown above the input `text`; `room` returns the room of the input. */
	constructor(text, room) {
		Object.assign(this, { text, room });
		this.list = element("ul", {
			class: "completion", id: `${text.id}-mentions`, role: "listbox", "aria-label": "People to mention",
			"data-testid": `${text.id}-mentions`, hidden: "",
		});
		this.status = element("span", { class: "hidden", role: "status" });
		text.before(this.list, this.status);
		text.setAttribute("aria-autocomplete", "list");
		text.addEventListener("input", () => this.#offer());
		text.addEventListener("click", () => this.#offer());
		text.addEventListener("blur", () => this.close());
	}

	/** Handles a key if the list is open; returns whether it did. */
	key(event) {
		if (this.list.hidden || event.isComposing) {
			return false;
		}
		const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (step) {
			this.#choose((this.#chosen + step + this.#options.length) % this.#options.length);
		}
		else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") {
			this.#take(this.#options[this.#chosen]);
		}
		else if (event.key === "Escape") {
			this.close();
		}
		else {
			return false;
		}
		event.preventDefault();
		event.stopPropagation();
		return true;
	}

	close() {
		this.list.hidden = true;
		this.status.textContent = "";
		this.text.removeAttribute("aria-activedescendant");
		this.text.removeAttribute("aria-controls");
	}

	#offer() {
		const [, begun] = BEGUN.exec(this.text.value.slice(0, this.text.selectionStart)) ?? [];
		this.#options = begun === undefined ? [] : this.#matching(begun.toLowerCase());
		if (this.#options.length === 0 || (this.#options.length === 1 && this.#options[0] === begun)) {
			this.close();
			return;
		}
		this.list.replaceChildren(...this.#options.map((name, index) => element("li", {
			role: "option", id: `${this.list.id}-${index}`, "data-testid": "mention-option", "data-name": name,
			// The input keeps the focus.
			onmousedown: (event) => event.preventDefault(), onclick: () => this.#take(name),
		}, `@${name}`)));
		this.list.hidden = false;
		this.text.setAttribute("aria-controls", this.list.id);
		this.status.textContent = this.#options.length === 1 ? "1 name" : `${this.#options.length} names, choose with the arrow keys`;
		this.#choose(0);
	}

	#matching(begun) {
		const room = this.room();
		const names = [...[...room.members.keys()].filter((name) => name !== room.me).sort(), ...wholes(room)];
		return [...new Set(names)].filter((name) => name.toLowerCase().includes(begun))
			.sort((one, other) => other.toLowerCase().startsWith(begun) - one.toLowerCase().startsWith(begun))
			.slice(0, MAX_OPTIONS);
	}

	#choose(index) {
		this.#chosen = index;
		[...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
		this.list.children[index].scrollIntoView({ block: "nearest" });
		this.text.setAttribute("aria-activedescendant", this.list.children[index].id);
	}

	#take(name) {
		const end = this.text.selectionStart;
		const start = this.text.value.slice(0, end).search(BEGUN);
		this.text.setRangeText(`@${name} `, start, end, "end");
		this.close();
		this.text.dispatchEvent(new Event("input", { bubbles: true }));
	}

}
