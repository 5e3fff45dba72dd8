import { byId, paintAvatar, reconcile } from "./dom.js";
import { MentionCompletion } from "./mention-completion.js";
import { editedMentions } from "./mentions.js";
import { messageItems } from "./message-items.js";
import { permitted } from "./message-dialog.js";
import { tooLong } from "./composer.js";

const NEAR_END = 48;
/** Where there is no room for a second column, the thread covers the conversation. */
const NARROW = matchMedia("(max-width: 1100px)");

/** The open thread beside the conversation, or above it on small screens. */
export class ThreadPane {

	#shown = null;
	#last;
	#edited = null;

	constructor(store, { onProblem, onChangeMessage, onReact, onLater }) {
		Object.assign(this, { store, threads: store.threads, onProblem, change: onChangeMessage, react: onReact, onLater });
		this.pane = byId("thread");
		this.scroller = byId("thread-scroller");
		this.text = byId("thread-text");
		this.completion = new MentionCompletion(this.text, () => this.threads.open.room);
		byId("thread-close").addEventListener("click", () => this.#close());
		byId("thread-older").addEventListener("click", () => this.threads.older().catch(onProblem));
		byId("thread-follow").addEventListener("click", () =>
			this.threads.follow(!this.#standing().following).catch(onProblem));
		byId("thread-edit-cancel").addEventListener("click", () => this.#endEdit());
		byId("thread-composer").addEventListener("submit", (event) => {
			event.preventDefault();
			this.#send();
		});
		byId("thread-later").addEventListener("click", () => this.#later());
		this.text.addEventListener("input", () => this.#keep());
		this.pane.addEventListener("keydown", (event) => this.#key(event));
		this.scroller.addEventListener("scroll", () => this.#mark(), { passive: true });
		NARROW.addEventListener("change", () => this.render());
		document.addEventListener("visibilitychange", () => this.#mark());
		window.addEventListener("focus", () => this.#mark());
	}

	/** Opens the thread of a message, and moves the focus there. */
	show(room, root) {
		this.threads.show(room, root).catch(this.onProblem);
		this.render();
		(matchMedia("(pointer: fine)").matches && !this.text.disabled ? this.text : byId("thread-title")).focus();
	}

	/** Puts the text of a reply into the input. */
	edit(message) {
		this.#edited = message;
		byId("thread-editing").hidden = false;
		this.text.value = message.text;
		this.text.focus();
	}

	render() {
		const open = this.threads.open;
		if (open && open.room !== this.store.current) {
			this.threads.open = null;
		}
		const { open: shown } = this.threads;
		this.pane.hidden = !shown;
		document.body.dataset.thread = shown ? "open" : "closed";
		byId("room").inert = Boolean(shown) && NARROW.matches;
		if (!shown) {
			// A closed thread would keep the text of messages that are deleted later.
			byId("thread-messages").replaceChildren();
			this.#shown = null;
			return;
		}
		if (this.#shown !== shown) {
			byId("thread-messages").replaceChildren();
			this.#edited = null;
			byId("thread-editing").hidden = true;
			this.#explain("");
			this.#last = undefined;
		}
		this.#showDraft();
		this.#fill(shown);
		this.#shown = shown;
		this.#mark();
	}

	/** Shows what was written here before, or on another device. */
	#showDraft() {
		const { room, root } = this.threads.open;
		const { text } = this.store.drafts.of(room.id, root);
		if (!this.#edited && this.text.value !== text) {
			this.text.value = text;
		}
	}

	#keep() {
		if (!this.#edited) {
			const { room, root } = this.threads.open;
			this.store.drafts.set(room.id, root, { text: this.text.value });
		}
	}

	#fill({ room, root, atStart, loaded }) {
		const replies = this.threads.replies();
		const message = this.threads.root();
		const standing = this.#standing();
		byId("thread-room").textContent = room.title;
		byId("thread-follow").textContent = standing.following ? "Following" : "Follow";
		byId("thread-follow").setAttribute("aria-pressed", String(standing.following));
		byId("thread-older").hidden = atStart;
		byId("thread-count").textContent = replies.length === 0 && loaded.size > 0 ? "No replies yet" : "";
		paintAvatar(byId("thread-avatar"), message?.sender ?? "");
		const nearEnd = this.#nearEnd();
		// Screen readers announce arriving replies, not loaded pages.
		this.scroller.ariaLive = this.#last !== undefined && replies[0]?.position === this.#last.first ? "polite" : "off";
		const { change, react } = this;
		const retry = (waiting) => this.store.retry(room, waiting);
		const discard = (waiting) => this.store.discard(room, waiting);
		reconcile(byId("thread-messages"), messageItems(room, this.store, { change, react, retry, discard }, {
			root: message, entries: [...replies, ...room.waiting(root)],
		}));
		if (this.#last === undefined || (nearEnd && replies.at(-1)?.position !== this.#last.last)) {
			this.scroller.scrollTop = this.scroller.scrollHeight;
		}
		this.#last = loaded.size > 0 ? { first: replies[0]?.position, last: replies.at(-1)?.position } : undefined;
		const { writes } = permitted(room, message ?? {}, this.store);
		this.text.disabled = byId("thread-send").disabled = byId("thread-later").disabled = !writes;
		this.text.placeholder = writes ? "Reply in the thread" : "You cannot write here";
	}

	#standing() {
		const { room, root } = this.threads.open;
		return this.threads.of(room.id, root);
	}

	#nearEnd() {
		const { scrollTop, scrollHeight, clientHeight } = this.scroller;
		return scrollHeight - scrollTop - clientHeight < NEAR_END;
	}

	#mark() {
		if (this.threads.open && this.#last && this.#nearEnd() && document.visibilityState === "visible" && document.hasFocus()) {
			this.threads.seen();
		}
	}

	/** The focus returns to the message in the conversation. */
	#close() {
		const { root } = this.threads.open;
		this.threads.close();
		this.render();
		const message = document.querySelector(`#messages > li[data-position="${root}"]`);
		(message?.querySelector("[data-focus=thread]") ?? message?.querySelector(".message-actions") ?? byId("scroller")).focus();
	}

	#key(event) {
		if (event.target === this.text && this.completion.key(event)) {
			return;
		}
		if (event.target === this.text && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			this.#send();
		}
		else if (event.key === "Escape" && this.#edited) {
			this.#endEdit();
		}
		else if (event.key === "Escape") {
			this.#close();
		}
	}

	#endEdit() {
		if (this.#edited) {
			this.#edited = null;
			this.#showDraft();
			this.#explain("");
		}
		byId("thread-editing").hidden = true;
	}

	#send() {
		const text = this.text.value.trim();
		const { room, root } = this.threads.open;
		const problem = tooLong(text);
		this.#explain(problem ?? "");
		if (problem || !text) {
			return;
		}
		if (this.#edited) {
			this.#saveEdit(room, text);
			return;
		}
		this.scroller.scrollTop = this.scroller.scrollHeight;
		this.store.send(room, text, { thread: root });
		this.#clear(room, root);
	}

	/** The text is sent, now or later. */
	#clear(room, root) {
		this.store.drafts.remove(room.id, root);
		this.threads.open && this.#showDraft();
	}

	#later() {
		const { room, root } = this.threads.open;
		if (this.#edited) {
			this.#explain("Save or cancel the change of the other reply first.");
			return;
		}
		this.#explain("");
		this.onLater(room, { text: this.text.value.trim(), thread: root }, () => this.#clear(room, root));
	}

	/** Keeps the text if it is not saved. */
	async #saveEdit(room, text) {
		const edited = this.#edited;
		try {
			if (text !== edited.text) {
				await this.store.chat.edit(room.id, edited.position, text, { mentions: editedMentions(text, room, edited.mentions) });
			}
			this.#edited === edited && this.#endEdit();
		}
		catch ({ message }) {
			this.#edited === edited && this.#explain(message);
		}
	}

	#explain(sentence) {
		byId("thread-error").textContent = sentence;
	}

}
