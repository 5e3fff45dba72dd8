import { attempt, sure } from "./dialogs.js";
import { byId, element, reconcile } from "./dom.js";
import { moment } from "./times.js";

/** The messages that are sent later: a button, which says how many could not be sent, and a dialog with all of them. */
export class ScheduledList {

	constructor(store, onEdit) {
		Object.assign(this, { store, onEdit });
		this.dialog = byId("scheduled-dialog");
		byId("scheduled-open").addEventListener("click", () => this.dialog.showModal());
	}

	render() {
		const messages = this.store.scheduled.all.filter(({ room }) => this.store.rooms.has(room));
		const failed = messages.filter(({ state }) => state === "failed").length;
		byId("scheduled-open").hidden = messages.length === 0;
		byId("scheduled-failed").hidden = failed === 0;
		byId("scheduled-failed").textContent = String(failed);
		byId("scheduled-failed").setAttribute("aria-label", `${failed} not sent`);
		byId("no-scheduled").hidden = messages.length > 0;
		const inside = byId("scheduled").contains(document.activeElement);
		reconcile(byId("scheduled"), messages.map((message) => this.#item(message)));
		if (inside && document.activeElement === document.body) {
			byId("scheduled-title").focus();
		}
	}

	#item(message) {
		const room = this.store.rooms.get(message.room);
		const signature = JSON.stringify([message, room.title, moment(message.sendAt)]);
		return { key: String(message.id), signature, render: () => this.#row(room, message) };
	}

	#row(room, { id, sendAt, state, reason, message }, own = { id, sendAt, state, message }) {
		const when = { waiting: `Will be sent ${moment(sendAt)}`, sending: "Is being sent" }[state] ?? `Not sent: ${reason}`;
		const named = (action) => `${action} the message to ${room.title}: ${message.text.slice(0, 40)}`;
		const remove = element("button", { type: "button", class: "danger", "data-testid": "scheduled-cancel", "aria-label": named("Cancel") }, "Cancel");
		sure(remove, "Really?", () => attempt(this.dialog, () => this.store.scheduled.cancel(id)));
		return element("li", { "data-testid": "scheduled-item", "data-state": state },
			element("span", { class: "grow" },
				element("span", { class: "name" }, message.thread ? `${room.title}, thread` : room.title),
				element("span", { class: "preview", dir: "auto" }, message.text.slice(0, 300)),
				element("span", { class: state === "failed" ? "labels error" : "labels", "data-testid": "scheduled-state" }, when)),
			state !== "sending" && element("button", {
				type: "button", "data-testid": "scheduled-edit", "aria-label": named("Change"), onclick: () => this.onEdit(room, own),
			}, "Change"),
			state !== "sending" && remove);
	}

}
