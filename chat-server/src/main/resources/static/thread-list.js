import { byId, element, reconcile } from "./dom.js";

/** The threads that the user follows: a button with what is unread, and a dialog with all of them. */
export class ThreadList {

	constructor(store, onOpen) {
		this.store = store;
		this.onOpen = onOpen;
		this.dialog = byId("threads-dialog");
		byId("threads-open").addEventListener("click", () => this.dialog.showModal());
	}

	render() {
		const { threads } = this.store;
		const followed = threads.followed.filter(({ room }) => this.store.rooms.has(room));
		byId("threads-open").hidden = followed.length === 0;
		byId("threads-unread").hidden = threads.unread === 0;
		byId("threads-unread").textContent = threads.unread > 99 ? "99+" : String(threads.unread);
		byId("threads-unread").setAttribute("aria-label", `${threads.unread} unread`);
		reconcile(byId("threads"), followed.map((thread) => this.#item(thread)));
	}

	#item({ room: id, root, unread }) {
		const room = this.store.rooms.get(id);
		const message = room.message(root);
		const text = message ? room.current(message) : undefined;
		const line = text?.deleted ? "Message deleted" : text?.text ?? "An earlier message";
		const shown = { title: room.title, line, unread };
		return { key: `${id} ${root}`, signature: JSON.stringify(shown), render: () => this.#row(room, root, shown) };
	}

	#row(room, root, { title, line, unread }) {
		return element("li", {}, element("button", {
			type: "button", class: "thread-item", "data-testid": "thread-item", onclick: () => {
				this.dialog.close();
				this.onOpen(room, root);
			},
		},
		element("span", { class: "line" }, element("span", { class: "name" }, title),
			unread > 0 && element("span", { class: "badge", "data-testid": "thread-badge", "aria-label": `${unread} unread` }, String(unread))),
		element("span", { class: "preview", dir: "auto" }, line)));
	}

}
