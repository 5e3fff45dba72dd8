import { byId, element, reconcile } from "./dom.js";
import { marked } from "./mentions.js";
import { briefly } from "./times.js";

/** The messages that mention the user: a button with what is unread, and a dialog with all of them. */
export class MentionList {

	#loaded = [];
	#next = null;

	constructor(store, onOpen, onProblem) {
		Object.assign(this, { store, onOpen });
		this.dialog = byId("mentions-dialog");
		this.list = byId("mentions");
		byId("mentions-open").addEventListener("click", () => {
			this.#loaded = [];
			this.#next = null;
			this.render();
			byId("no-mentions").hidden = byId("mentions-more").hidden = true;
			this.dialog.showModal();
			this.#load().catch(onProblem);
		});
		byId("mentions-more").addEventListener("click", () => this.#load().catch(onProblem));
	}

	/** Rooms may arrive later than the messages. */
	render() {
		const { mentions, rooms } = this.store;
		byId("mentions-unread").hidden = mentions === 0;
		byId("mentions-unread").textContent = mentions > 99 ? "99+" : String(mentions);
		byId("mentions-unread").setAttribute("aria-label", `${mentions} unread`);
		reconcile(this.list, this.#loaded.filter(({ room }) => rooms.has(room)).map((message) => this.#item(message)));
	}

	async #load() {
		const loaded = this.#loaded;
		const { mentions, next } = await this.store.chat.mentions({ before: this.#next ?? undefined });
		if (loaded !== this.#loaded) {
			return; // The dialog was opened again.
		}
		const shown = this.list.children.length;
		loaded.push(...mentions);
		this.#next = next;
		this.render();
		byId("mentions-more").hidden = next === null;
		byId("no-mentions").hidden = loaded.length > 0;
		if (document.activeElement === byId("mentions-more") || document.activeElement === document.body) {
			this.list.children[shown]?.firstChild.focus();
		}
	}

	#item(message) {
		const { title } = this.store.rooms.get(message.room);
		const key = `${message.room} ${message.position}`;
		return { key, signature: JSON.stringify({ title, message }), render: () => this.#row(message) };
	}

	#row(message) {
		const room = this.store.rooms.get(message.room);
		return element("li", {}, element("button", {
			type: "button", class: "thread-item", "data-testid": "mention-item", onclick: () => {
				this.dialog.close();
				this.onOpen(room, message);
			},
		},
		element("span", { class: "line" }, element("span", { class: "name" }, room.title), element("time", {}, briefly(message.sentAt))),
		element("span", { class: "preview", dir: "auto" }, `${message.sender}: `,
			...marked(message.text.slice(0, 300), message.mentions, this.store.chat.username))));
	}

}
