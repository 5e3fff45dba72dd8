import { byId, element } from "./dom.js";
import { marked } from "./mentions.js";
import { briefly } from "./times.js";

/** The messages that mention the user: a button with what is unread, and a dialog with all of them. */
export class MentionList {

	#next = null;

	constructor(store, onOpen, onProblem) {
		Object.assign(this, { store, onOpen });
		this.dialog = byId("mentions-dialog");
		this.list = byId("mentions");
		byId("mentions-open").addEventListener("click", () => {
			this.#next = null;
			this.list.replaceChildren();
			byId("no-mentions").hidden = byId("mentions-more").hidden = true;
			this.dialog.showModal();
			this.#load().catch(onProblem);
		});
		byId("mentions-more").addEventListener("click", () => this.#load().catch(onProblem));
	}

	render() {
		const { mentions } = this.store;
		byId("mentions-unread").hidden = mentions === 0;
		byId("mentions-unread").textContent = mentions > 99 ? "99+" : String(mentions);
		byId("mentions-unread").setAttribute("aria-label", `${mentions} unread`);
	}

	async #load() {
		const { mentions, next } = await this.store.chat.mentions({ before: this.#next ?? undefined });
		const rows = mentions.filter(({ room }) => this.store.rooms.has(room)).map((message) => this.#row(message));
		this.list.append(...rows);
		this.#next = next;
		byId("mentions-more").hidden = next === null;
		byId("no-mentions").hidden = this.list.children.length > 0;
		if (document.activeElement === byId("mentions-more") || document.activeElement === document.body) {
			rows[0]?.firstChild.focus();
		}
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
