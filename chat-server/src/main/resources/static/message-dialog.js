import { attempt, explain, sure } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { isMuted, mayPin, moderates } from "./room-roles.js";

const EMOJI = [..."👍👎😀😂😍😢😮😡🎉🔥👏🙏💯✅❌👀🚀💡🤔🤝💪🙌🥳"].concat("❤️");

/**
 * Returns what the user may do with a message of the room: `{react, edit, remove, answer, thread, report, pin}`, and
 * whether the user `writes` at all. The server has the last word.
 */
export function permitted(room, message, { chat, suspended }) {
	const own = message.sender === chat.username;
	const here = message.position !== undefined && !message.deleted && !suspended;
	const writes = room.role !== "reader";
	const inRoom = here && writes && message.type === "message.posted";
	return { writes: writes && !suspended && !isMuted(room), answer: inRoom, thread: inRoom, report: here && !own, pin: here && mayPin(room), react: here && writes, edit: here && own && writes, remove: here && (own ? writes : room.kind !== "direct" && moderates(room.role)) };
}

/** The actions for one message. */
export class MessageDialog {

	#room;
	#message;

	constructor(store, { onEdit, onAnswer, onThread }) {
		this.store = store;
		this.dialog = byId("message-dialog");
		this.form = byId("message-form");
		this.form.addEventListener("submit", (event) => event.preventDefault());
		const buttons = { "message-edit": onEdit, "message-answer": onAnswer, "message-thread": onThread };
		Object.entries(buttons).forEach(([id, action]) => byId(id).addEventListener("click", () => {
			this.dialog.close();
			action(this.#room, this.#message);
		}));
		byId("message-reactions").append(...EMOJI.map((key) => element("button", {
			type: "button", "data-testid": "emoji", "data-key": key, "aria-label": `React with ${key}`, onclick: () => this.#react(key),
		}, key)));
		byId("message-pin").addEventListener("click", () => this.#pin());
		byId("message-report").addEventListener("click", () => this.#report());
		sure(byId("message-delete"), "Really delete?", () => this.#delete());
	}

	open(room, message) {
		this.#room = room;
		this.#message = message;
		const { react, edit, remove, answer, thread, report, pin } = permitted(room, message, this.store);
		const own = message.sender === this.store.chat.username;
		byId("message-title").textContent = own ? "Your message" : `Message of ${message.sender}`;
		byId("message-excerpt").textContent = message.text;
		byId("message-edit").hidden = !edit;
		byId("message-answer").hidden = !answer;
		byId("message-thread").hidden = !thread;
		byId("message-delete").hidden = !remove;
		byId("message-pin").hidden = !pin;
		byId("message-pin").textContent = message.pinned ? "Unpin" : "Pin";
		byId("message-reactions").hidden = !react;
		const mine = new Set((message.reactions ?? []).filter((reaction) => reaction.mine).map(({ key }) => key));
		for (const button of byId("message-reactions").children) {
			button.setAttribute("aria-pressed", mine.has(button.dataset.key));
		}
		byId("message-reason-row").hidden = own || !remove;
		byId("message-reason").value = "";
		byId("message-report").hidden = !report;
		byId("message-report").textContent = "Report";
		byId("message-report-row").hidden = true;
		byId("message-report-reason").value = "";
		explain(this.form, "");
		this.dialog.showModal();
		this.#loadReaders(message);
	}

	/** Shows who has read the message, without its sender. A failure is no reason to disturb the user. */
	async #loadReaders(message) {
		const part = byId("message-readers");
		part.hidden = true;
		const answer = await this.store.chat.readers(this.#room.id, message.position).catch(() => null);
		if (!answer || this.#message !== message) {
			return;
		}
		const names = answer.readers.filter((name) => name !== message.sender);
		const more = answer.count - answer.readers.length;
		byId("message-readers-list").replaceChildren(...names.map((name) => element("li", { "data-testid": "reader" },
			name === this.store.chat.username ? `${name} (you)` : name)));
		byId("message-readers-note").textContent = more > 0 ? `… and ${more} more` : names.length === 0 ? "Nobody yet" : "";
		part.hidden = false;
	}

	async #react(key) {
		const mine = this.#message.reactions?.some((reaction) => reaction.key === key && reaction.mine);
		if (await attempt(this.form, () => this.store.react(this.#room, this.#message.position, key, !mine))) {
			this.dialog.close();
		}
	}

	async #pin() {
		if (await attempt(this.form, () => this.store.chat.pin(this.#room.id, this.#message.position, !this.#message.pinned))) {
			this.dialog.close();
		}
	}

	/** Asks for the reason first. */
	async #report() {
		const row = byId("message-report-row");
		const reason = byId("message-report-reason");
		if (row.hidden || !reason.value.trim()) {
			row.hidden = false;
			byId("message-report").textContent = "Send report";
			reason.focus();
			return;
		}
		if (await attempt(this.form, () => this.store.chat.report(this.#room.id, this.#message.position, reason.value.trim()))) {
			this.dialog.close();
		}
	}

	async #delete() {
		const reason = byId("message-reason").value.trim() || undefined;
		if (await attempt(this.form, () => this.store.chat.deleteMessage(this.#room.id, this.#message.position, { reason }))) {
			this.dialog.close();
		}
	}

}
