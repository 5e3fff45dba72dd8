import { attempt, onSubmit, require } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { moderates } from "./room-roles.js";
import { duration } from "./times.js";

/** The choices of slow mode, in seconds. */
const SLOW_MODES = [0, 5, 10, 30, 60, 300, 900, 3_600, 21_600];

/** The name, the topic and the other settings of the open room. Moderators set the slow mode, the owner everything. */
export class RoomSettings {

	#given;

	constructor(store) {
		this.store = store;
		this.part = byId("settings");
		this.form = byId("settings-form");
		this.form.addEventListener("input", () => (byId("settings-done").textContent = ""));
		onSubmit(this.form, () => this.#save());
	}

	reset() {
		this.part.open = false;
	}

	render(room) {
		this.part.hidden = room.kind === "direct" || !moderates(room.role);
		byId("settings-owner").hidden = byId("settings-pins-row").hidden = room.role !== "owner";
		if (!this.part.open) {
			this.#fill();
		}
	}

	#fill() {
		const { name, topic, slowMode, memberPins } = this.store.current;
		const { elements } = this.form;
		this.#given = { name, topic, slowMode, memberPins };
		const choices = [...new Set([...SLOW_MODES, slowMode])].sort((one, other) => one - other);
		elements.slowMode.replaceChildren(...choices.map((seconds) =>
			element("option", { value: seconds }, seconds ? duration(seconds) : "Off")));
		elements.name.value = name;
		elements.topic.value = topic;
		elements.slowMode.value = slowMode;
		elements.memberPins.checked = memberPins;
		byId("settings-done").textContent = "";
		attempt(this.form, () => {});
	}

	/** Sends what was changed here, so that it does not undo what somebody else has changed meanwhile. */
	async #save() {
		const { elements } = this.form;
		const room = this.store.current;
		const wanted = { name: elements.name.value.trim(), topic: elements.topic.value.trim(), slowMode: Number(elements.slowMode.value),
			memberPins: elements.memberPins.checked };
		require(wanted.name, "Enter a name.");
		const changed = Object.entries(wanted).filter(([field, value]) => value !== this.#given[field]);
		if (changed.length > 0) {
			await this.store.changeRoom(room, Object.fromEntries(changed));
			this.#fill();
		}
		byId("settings-done").textContent = "Saved.";
	}

}
