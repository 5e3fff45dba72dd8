import { byId, paintAvatar, reconcile } from "./dom.js";
import { messageItems } from "./message-items.js";
import { moment } from "./times.js";

const NEAR_TOP = 240;
const NEAR_END = 48;

/** The open room: its messages, the scroll position and the typing indicator. */
export class Conversation {

	#shown = null;
	#pinned = true;
	#loading = false;
	#oldest;

	constructor(store, onProblem, onChangeMessage, onThread) {
		this.store = store;
		this.onProblem = onProblem;
		this.change = onChangeMessage;
		this.thread = onThread;
		this.scroller = byId("scroller");
		this.messages = byId("messages");
		store.watching = () => this.#watching();
		this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
		this.messages.addEventListener("keydown", (event) => moveFocus(this.messages, event));
		byId("jump").addEventListener("click", () => this.jump());
		new ResizeObserver(() => this.#pinned && this.#toEnd()).observe(this.scroller);
		const look = () => this.#mark();
		document.addEventListener("visibilitychange", look);
		window.addEventListener("focus", look);
	}

	render() {
		const room = this.store.current;
		byId("conversation").hidden = !room;
		byId("no-room").hidden = Boolean(room);
		document.body.dataset.view = room ? "room" : "list";
		if (!room) {
			this.#shown = null;
			return;
		}
		const fresh = room !== this.#shown;
		if (fresh) {
			this.messages.replaceChildren();
			this.#oldest = undefined;
			this.#pinned = true;
		}
		this.#shown = room;
		this.#heading(room);
		this.#fill(room);
		this.#typing(room);
		this.#mark();
	}

	jump() {
		this.#pinned = true;
		this.#toEnd();
		this.#mark();
		this.render();
	}

	#heading(room) {
		paintAvatar(byId("room-avatar"), room.title).className = `avatar ${room.kind}`;
		byId("room-name").textContent = room.title;
		byId("room-about").textContent = byId("room-about").title = about(room);
	}

	#fill(room) {
		if (!room.loaded) {
			byId("loading").hidden = false;
			return;
		}
		byId("loading").hidden = !this.#loading;
		const { retry, discard, change, react, thread, show } = this;
		const oldest = room.events[0]?.position ?? 0;
		const fromEnd = this.scroller.scrollHeight - this.scroller.scrollTop;
		// Screen readers announce arriving messages, not loaded pages.
		this.scroller.ariaLive = oldest === this.#oldest ? "polite" : "off";
		const focused = focusedPart(this.messages);
		reconcile(this.messages, messageItems(room, this.store, { retry, discard, change, react, thread, show }));
		focused?.();
		if (this.#oldest === undefined) {
			this.#toFirstNew();
		}
		else if (this.#pinned) {
			this.#toEnd();
		}
		else if (oldest < this.#oldest) {
			this.scroller.scrollTop = this.scroller.scrollHeight - fromEnd;
		}
		this.#oldest = oldest;
		this.#offerJump(room);
	}

	retry = (message) => this.store.retry(this.store.current, message);

	discard = (message) => this.store.discard(this.store.current, message);

	react = (position, key, on) => this.store.react(this.store.current, position, key, on).catch(this.onProblem);

	/** Scrolls to a message, and moves the focus there. */
	show = (position) => {
		const message = this.messages.querySelector(`[data-position="${position}"]`);
		message?.scrollIntoView({ block: "center" });
		message?.setAttribute("tabindex", "-1");
		message?.focus();
	};

	#typing({ typing, kind }) {
		const names = [...typing.keys()];
		const some = names.length > 2 ? `${names.length} people are` : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"}`;
		byId("typing").textContent = names.length === 0 ? "" : kind === "direct" ? "typing…" : `${some} typing…`;
	}

	#offerJump(room) {
		byId("jump").hidden = this.#pinned;
		byId("jump-text").textContent = room.unread > 0 ? `${room.unread} new` : "Latest";
	}

	#scrolled() {
		const { scrollTop, scrollHeight, clientHeight } = this.scroller;
		const pinned = scrollHeight - scrollTop - clientHeight < NEAR_END;
		if (pinned !== this.#pinned) {
			this.#pinned = pinned;
			this.#mark();
			this.#shown && this.#offerJump(this.#shown);
		}
		if (scrollTop < NEAR_TOP) {
			this.#older();
		}
	}

	async #older() {
		const room = this.#shown;
		if (!room?.loaded || room.atStart || this.#loading || room.events.length === 0) {
			return;
		}
		this.#loading = true;
		byId("loading").hidden = false;
		try {
			await this.store.older(room);
		}
		catch (error) {
			this.onProblem(error);
		}
		this.#loading = false;
		byId("loading").hidden = true;
	}

	#watching() {
		return this.#pinned && document.visibilityState === "visible" && document.hasFocus();
	}

	#mark() {
		if (this.#shown && this.#watching()) {
			this.store.seen(this.#shown);
		}
	}

	/** Scrolls to the end, or to the first new message if the new ones do not fit on the screen. */
	#toFirstNew() {
		this.#toEnd();
		const divider = this.messages.querySelector(".divider");
		if (divider && divider.getBoundingClientRect().top < this.scroller.getBoundingClientRect().top) {
			divider.scrollIntoView({ block: "start" });
			this.#pinned = false;
		}
	}

	#toEnd() {
		this.scroller.scrollTop = this.scroller.scrollHeight;
	}

}

/** Returns how to focus the same part of a message that was rendered anew, or undefined. */
function focusedPart(messages) {
	const part = document.activeElement;
	const message = part?.closest?.("#messages > li");
	return message && part.dataset.focus && (() => [...messages.children].find((other) => other.dataset.key === message.dataset.key)
		?.querySelector(`[data-focus="${CSS.escape(part.dataset.focus)}"]`)?.focus());
}

/** Up and Down move from the actions of one message to those of another. */
function moveFocus(messages, event) {
	const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
	const buttons = [...messages.querySelectorAll(".message-actions")];
	const index = buttons.indexOf(document.activeElement);
	if (step && index >= 0) {
		event.preventDefault();
		buttons[index + step]?.focus();
	}
}

function about(room) {
	if (room.kind === "direct") {
		const seen = room.peerState === "online" ? undefined : room.peerLastSeen;
		const state = { online: "Online", away: "Away", offline: seen ? "" : "Offline" }[room.peerState];
		return [state, seen && `Last seen ${moment(seen)}`].filter(Boolean).join(", ");
	}
	return [people(room), room.topic].filter(Boolean).join(" · ");
}

function people(room) {
	const online = [...room.members.values()].filter((member) => member.online).length;
	const all = room.memberCount === 1 ? "1 person" : `${room.memberCount ?? "…"} people`;
	return online > 0 ? `${all}, ${online} online` : all;
}
