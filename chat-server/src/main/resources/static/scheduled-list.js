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
		const messages = this.store.scheduled.all;
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
		const title = room?.title ?? "A room that you have left";
		const signature = JSON.stringify([message, title, moment(message.sendAt)]);
		return { key: String(message.id), signature, render: () => this.#row(room, title, message) };
	}

	#row(room, title, own) {
		const { id, sendAt, state, reason, message } = own;
		const when = { waiting: `Will be sent ${moment(sendAt)}`, sending: "Is being sent" }[state] ?? `Not sent: ${reason}`;
		const about = `scheduled-${id}`;
		const remove = element("button", { type: "button", class: "danger", "data-testid": "scheduled-cancel", "aria-describedby": about }, "Cancel");
		sure(remove, "Really?", () => attempt(this.dialog, () => this.store.scheduled.cancel(id)));
		return element("li", { "data-testid": "scheduled-item", "data-state": state },
			element("span", { class: "grow", id: about },
				element("span", { class: "name" }, message.thread ? `${title}, thread` : title),
				element("span", { class: "preview", dir: "auto" }, message.text.slice(0, 300)),
				element("span", { class: state === "failed" ? "labels error" : "labels", "data-testid": "scheduled-state" }, when)),
			room && state !== "sending" && element("button", {
				type: "button", "data-testid": "scheduled-edit", "aria-describedby": about, onclick: () => this.onEdit(room, own),
			}, "Change"),
			state !== "sending" && remove);
	}

}
