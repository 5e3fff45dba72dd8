import { byId, element, paintAvatar, reconcile } from "./dom.js";
import { briefly } from "./times.js";

/** The room list in the sidebar, most recent first. */
export class RoomList {

	constructor(store, onOpen) {
		this.store = store;
		this.onOpen = onOpen;
		this.list = byId("rooms");
	}

	render() {
		reconcile(this.list, this.store.sorted.map((room) => this.#item(room)));
		this.list.classList.toggle("none", this.store.rooms.size === 0);
	}

	#item(room) {
		const shown = {
			title: room.title,
			line: preview(room, this.store.chat.username),
			when: room.last ? briefly(room.last.sentAt) : "",
			unread: room.unread,
			mentions: room.mentions,
			presence: room.peerState,
			kind: room.kind,
			current: room === this.store.current,
		};
		return { key: room.id, signature: JSON.stringify(shown), render: () => this.#row(room.id, shown) };
	}

	#row(id, { title, line, when, unread, mentions, presence, kind, current }) {
		const badge = unread > 0 && element("span", {
			class: "badge", "data-testid": "unread-badge", "aria-label": `${unread} unread`,
		}, unread > 99 ? "99+" : String(unread));
		const mentioned = mentions > 0 && element("span", {
			class: "badge", "data-testid": "mention-badge", role: "img", "aria-label": `${mentions} of them mention you`,
		}, mentions > 1 ? `@${mentions > 99 ? "99+" : mentions}` : "@");
		const avatar = paintAvatar(element("span", { class: `avatar ${kind}`, "aria-hidden": "true" }), title);
		const dot = kind === "direct" && element("span", {
			class: `presence ${presence}`, "data-testid": "presence", "data-state": presence, role: "img", "aria-label": presence,
		});
		const button = element("button", {
			type: "button", class: "room-item", "data-testid": "room-item", "data-room": id,
			"aria-current": current ? "true" : null, onclick: () => this.onOpen(id),
		},
		element("span", { class: "portrait" }, avatar, dot),
		element("span", { class: "line" }, element("span", { class: "name" }, title), element("time", {}, when)),
		element("span", { class: "line" }, element("span", { class: "preview" }, line), badge, mentioned));
		return element("li", {}, button);
	}

}

function preview(room, me) {
	if (room.typing.size > 0) {
		return room.kind === "direct" ? "typing…" : `${[...room.typing.keys()][0]} is typing…`;
	}
	const last = room.waiting().at(-1) ?? room.last;
	if (!last) {
		return "No messages yet";
	}
	const sender = (last.sender ?? me) === me ? "You: " : room.kind === "direct" ? "" : `${last.sender}: `;
	return sender + (last.deleted ? "Message deleted" : last.text);
}
