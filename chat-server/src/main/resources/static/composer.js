import { byId } from "./dom.js";
import { MentionCompletion } from "./mention-completion.js";
import { editedMentions } from "./mentions.js";
import { permitted } from "./message-dialog.js";
import { isMuted } from "./room-roles.js";
import { FAR_OFF_MS, moment } from "./times.js";

/** The server's limit for the body of a SEND, in bytes. */
const LIMIT = 16_384;
/** Space for the JSON around the text, in bytes. */
const ENVELOPE = 160;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The message input: Enter sends, Shift+Enter inserts a line break. Each room keeps its draft. While the user may not
 * write, it says why.
 */
export class Composer {

	#room = null;
	#muteEnd;
	#interrupted = false;
	/** The message that is being edited, or null. */
	#edited = null;
	/** The message that is being answered, or null. */
	#answered = null;

	constructor(store, { onSent, onLater, onProblem }) {
		Object.assign(this, { store, onSent, onLater });
		this.text = byId("text");
		this.completion = new MentionCompletion(this.text, () => this.#room);
		byId("composer").addEventListener("submit", (event) => {
			event.preventDefault();
			this.#send();
		});
		this.text.addEventListener("keydown", (event) => this.#key(event));
		this.text.addEventListener("input", () => this.#typed());
		byId("later").addEventListener("click", () => this.#later());
		byId("edit-cancel").addEventListener("click", () => this.#endEdit());
		byId("answer-cancel").addEventListener("click", () => this.#endAnswer());
		byId("composer-unblock").addEventListener("click", () => this.store.block(this.#room.peer, false).catch(onProblem));
	}

	render() {
		this.#permit(this.store.current);
		if (this.#room === this.store.current) {
			this.#showDraft();
			return;
		}
		this.#edited = null;
		byId("editing").hidden = true;
		this.completion.close();
		this.#room = this.store.current;
		this.#showDraft();
		this.#explain("");
		if (this.#room && matchMedia("(pointer: fine)").matches) {
			this.text.focus();
		}
	}

	/** Shows what was written here before, or on another device. What is written here is a draft at once. */
	#showDraft() {
		if (this.#edited) {
			return;
		}
		const { text, replyTo } = this.#room ? this.store.drafts.of(this.#room.id) : { text: "" };
		if (this.text.value !== text) {
			this.text.value = text;
		}
		if (replyTo !== this.#answered?.position) {
			this.#showAnswered(replyTo && (this.#room.message(replyTo) ?? { position: replyTo }));
		}
	}

	/** Shows the text of a message of the open room, to be changed. */
	edit(room, message) {
		if (room !== this.#room || this.text.disabled) {
			return;
		}
		this.#edited = message;
		this.#showAnswered(null);
		byId("editing").hidden = false;
		this.text.value = message.text;
		this.#explain("");
		this.text.focus();
	}

	/** The next message answers a message of the open room. */
	answer(room, message) {
		if (room !== this.#room || this.text.disabled) {
			return;
		}
		this.#endEdit();
		this.#showAnswered(message);
		this.#keep();
		this.text.focus();
	}

	/** A message that is not loaded has no text. */
	#showAnswered(message) {
		this.#answered = message || null;
		byId("answering").hidden = !message;
		byId("answering-text").textContent = message?.text === undefined ? "Answering an earlier message"
			: `Answering ${message.sender}: ${message.text.slice(0, 80)}`;
	}

	#endAnswer() {
		if (this.#answered) {
			this.#showAnswered(null);
			this.#keep();
			this.text.focus();
		}
	}

	#keep() {
		if (!this.#edited) {
			this.store.drafts.set(this.#room.id, 0, { text: this.text.value, replyTo: this.#answered?.position });
		}
	}

	#endEdit() {
		if (this.#edited) {
			this.#edited = null;
			byId("editing").hidden = true;
			this.#showDraft();
			this.#explain("");
			this.text.focus();
		}
	}

	/** A text that is being written, and the focus, survive. */
	#permit(room) {
		const reason = room && this.#obstacle(room);
		const disabled = Boolean(reason);
		if (disabled && document.activeElement === this.text) {
			this.#interrupted = true;
		}
		const unblocking = document.activeElement === byId("composer-unblock");
		this.text.disabled = byId("send").disabled = byId("later").disabled = disabled;
		this.text.placeholder = disabled ? "" : "Write a message";
		byId("composer-unblock").hidden = !(disabled && !this.store.suspended && this.#blocks(room));
		if (byId("composer-state").textContent !== (reason ?? "")) {
			byId("composer-state").textContent = reason ?? "";
		}
		if (!disabled && (this.#interrupted || unblocking)) {
			this.#interrupted = false;
			(unblocking || document.activeElement === document.body) && this.text.focus();
		}
		clearTimeout(this.#muteEnd);
		if (room && isMuted(room)) {
			const rest = Date.parse(room.mutedUntil) - Date.now();
			this.#muteEnd = setTimeout(() => this.render(), Math.min(rest + 1, MAX_TIMER_MS));
		}
	}

	/** Returns why the user may not write, or null. */
	#obstacle(room) {
		if (this.store.suspended) {
			return "Your account is suspended: you can read, but not write. Ask an operator.";
		}
		if (room.role === "reader") {
			return "You can read here, but not write: your role is reader.";
		}
		if (isMuted(room)) {
			const farOff = Date.parse(room.mutedUntil) - Date.now() > FAR_OFF_MS;
			return farOff ? "You are muted until a moderator lifts it. You can read meanwhile."
				: `You are muted until ${moment(room.mutedUntil)}. You can read meanwhile.`;
		}
		return this.#blocks(room) ? `You have blocked ${room.peer}.` : null;
	}

	#blocks(room) {
		return room.kind === "direct" && this.store.blocked.has(room.peer);
	}

	#key(event) {
		if (this.completion.key(event)) {
			return;
		}
		if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			this.#send();
		}
		else if (event.key === "Escape") {
			this.#endEdit();
			this.#endAnswer();
		}
		else if (event.key === "ArrowUp" && !this.text.value) {
			this.#editLast(event);
		}
	}

	#editLast(event) {
		const { room, store } = { room: this.#room, store: this.store };
		const last = room.events.map((each) => room.current(each))
			.findLast((each) => each.type === "message.posted" && permitted(room, each, store).edit);
		if (last) {
			event.preventDefault();
			this.edit(room, last);
		}
	}

	#typed() {
		this.#explain("");
		if (this.#edited) {
			return;
		}
		this.#keep();
		if (this.text.value.trim()) {
			this.store.chat.typing(this.#room.id);
		}
	}

	#send() {
		const text = this.text.value.trim();
		const problem = tooLong(text);
		if (problem) {
			this.#explain(problem);
		}
		else if (this.#edited) {
			this.#saveEdit(text);
		}
		else if (text) {
			const answered = this.#answered;
			this.store.send(this.#room, text, { replyTo: answered?.position });
			this.#clear(this.#room);
			answered && this.text.focus();
			this.onSent();
		}
	}

	/** The text is sent, now or later. */
	#clear(room) {
		this.store.drafts.remove(room.id);
		if (room === this.#room) {
			this.#showDraft();
		}
	}

	#later() {
		const room = this.#room;
		if (this.#edited) {
			this.#explain("Save or cancel the change of the other message first.");
			return;
		}
		this.#explain("");
		this.onLater(room, { text: this.text.value.trim(), replyTo: this.#answered?.position }, () => this.#clear(room));
	}

	/** Keeps the text if it is not saved. */
	async #saveEdit(text) {
		const edited = this.#edited;
		if (!text) {
			this.#explain("A message needs a text. To delete it, use its menu.");
			return;
		}
		try {
			if (text !== edited.text) {
				await this.store.chat.edit(this.#room.id, edited.position, text, { mentions: editedMentions(text, this.#room, edited.mentions) });
			}
			if (this.#edited === edited) {
				this.#endEdit();
			}
		}
		catch ({ message }) {
			if (this.#edited === edited) {
				this.#explain(message);
			}
		}
	}

	#explain(sentence) {
		byId("composer-error").textContent = sentence;
	}

}

/** Returns a sentence if the text is too long for a message. */
export function tooLong(text) {
	const bytes = new TextEncoder().encode(JSON.stringify(text)).length + ENVELOPE;
	const [is, may] = [bytes, LIMIT].map((number) => number.toLocaleString());
	return bytes > LIMIT ? `This message is too long (${is} of ${may} bytes). Shorten it or send it in parts.` : undefined;
}
