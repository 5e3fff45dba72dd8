import { attempt } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { briefly } from "./times.js";

/** The banned users of the open room. */
export class RoomBans {

	constructor(store) {
		this.store = store;
		this.part = byId("bans");
		this.part.addEventListener("toggle", () => this.part.open && attempt(this.part, () => this.load()));
	}

	reset() {
		this.part.open = false;
		byId("ban-list").replaceChildren();
	}

	/** Loads the list anew, if it is shown. */
	async load() {
		const room = this.store.current;
		if (!this.part.open || !room) {
			return;
		}
		const bans = await this.store.chat.bans(room.id);
		byId("ban-list").replaceChildren(...bans.map((ban) => this.#item(room, ban)));
		byId("no-bans").hidden = bans.length > 0;
	}

	#item(room, { username, by, since }) {
		const lift = () => attempt(this.part, async () => {
			await this.store.chat.liftBan(room.id, username);
			await this.load();
			this.part.querySelector("summary").focus();
		});
		return element("li", { "data-testid": "ban", "data-member": username },
			element("span", { class: "grow" }, username, element("span", { class: "muted labels" }, `by ${by}, ${briefly(since)}`)),
			element("button", { type: "button", class: "small", "data-testid": "lift-ban",
				"aria-label": `Lift the ban of ${username}`, onclick: lift }, "Lift ban"));
	}

}
