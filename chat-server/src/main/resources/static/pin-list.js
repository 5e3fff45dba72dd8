import { byId, element } from "./dom.js";
import { marked } from "./mentions.js";
import { mayPin } from "./room-roles.js";
import { briefly } from "./times.js";

/** The pinned messages of the open room: a dialog that follows the changes of pins while it is open. */
export class PinList {

	#room;
	#shown;

	constructor(store, onOpen, onProblem) {
		Object.assign(this, { store, onOpen, onProblem });
		this.dialog = byId("pins-dialog");
		this.list = byId("pins");
		byId("pins-open").addEventListener("click", () => {
			this.#room = this.store.current;
			this.#shown = undefined;
			this.list.replaceChildren();
			byId("no-pins").hidden = true;
			this.dialog.showModal();
			this.render();
		});
	}

	render() {
		if (!this.dialog.open) {
			return;
		}
		if (this.store.current !== this.#room) {
			this.dialog.close();
			return;
		}
		if (this.#shown !== this.#room.changedMessages) {
			this.#shown = this.#room.changedMessages;
			this.#load(this.#room).catch(this.onProblem);
		}
	}

	async #load(room) {
		const { messages } = await this.store.chat.pins(room.id);
		const focused = document.activeElement;
		const index = [...this.list.children].findIndex((row) => row.contains(focused));
		this.list.replaceChildren(...messages.map((message) => this.#row(room, message)));
		byId("no-pins").hidden = messages.length > 0;
		if (index >= 0) {
			const next = this.list.children[Math.min(index, messages.length - 1)];
			(next?.querySelector(`[data-testid=${focused.dataset.testid}]`) ?? byId("pins-title")).focus();
		}
	}

	#row(room, message) {
		const { position, type } = message;
		// The thread of a root is what a view says of it, not a position.
		const thread = type === "thread.posted" ? message.thread : undefined;
		const end = () => this.store.chat.pin(room.id, position, false).catch(this.onProblem);
		return element("li", { class: "pin", "data-testid": "pin" }, element("button", {
			type: "button", class: "thread-item", "data-testid": "pin-item", onclick: () => {
				this.dialog.close();
				this.onOpen(room, { position, thread });
			},
		},
		element("span", { class: "line" }, element("span", { class: "name" }, message.sender), element("time", {}, briefly(message.sentAt))),
		element("span", { class: "preview", dir: "auto" }, ...marked(message.text.slice(0, 300), message.mentions, this.store.chat.username))),
		mayPin(room) && element("button", {
			type: "button", class: "small", "data-testid": "unpin", "aria-label": `Unpin: ${message.text.slice(0, 60)}`, onclick: end,
		}, "Unpin"));
	}

}
