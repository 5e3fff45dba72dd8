// @ts-check
/** @import { Room, RoomEvent, RoomOptions } from "../index.d.ts" */
import { newId } from "./chat-client.js";
import { EventQueue } from "./event-queue.js";
import { Listeners } from "./listeners.js";
import { SendError } from "./outbox.js";

/** How many messages of a room are recognised when they come again at another position. */
const REMEMBERED = 1_000;

/** @implements {Room} */
export class RoomHandle {

	/** @type {number | undefined} */
	position;
	#listeners = new Listeners(() => this.#stopUnused());
	/** @type {Set<EventQueue>} */
	#queues = new Set();
	/** @type {Map<string, number>} the position at which a message came first */
	#seen = new Map();
	#chat;
	#saved;
	#options;
	#onClose;
	#started = false;
	#closed = false;

	/**
	 * @param {string} id
	 * @param {{chat: any, saved: import("./saved.js").Saved, options: RoomOptions, onClose: () => void}} parts
	 */
	constructor(id, { chat, saved, options, onClose }) {
		this.id = id;
		this.#chat = chat;
		this.#saved = saved;
		this.#options = options;
		this.#onClose = onClose;
	}

	/** @type {string | undefined} */
	get username() {
		return this.#chat.username;
	}

	/** @type {Room["on"]} */
	on(/** @type {string} */ type, /** @type {Function} */ listener, /** @type {object | undefined} */ options) {
		const remove = this.#listeners.add(type, listener, options);
		this.#start();
		return remove;
	}

	/** @type {Room["events"]} */
	events({ signal } = {}) {
		signal?.throwIfAborted();
		const queue = new EventQueue({
			onHandled: () => this.#handled(), onFull: () => this.#pause(), onEmpty: () => this.#follow(),
			onEnd: () => {
				this.#queues.delete(queue);
				this.#stopUnused();
			},
		});
		signal?.addEventListener("abort", () => queue.fail(signal.reason), { once: true });
		this.#queues.add(queue);
		this.#start();
		this.#closed && queue.end();
		return queue;
	}

	[Symbol.asyncIterator]() {
		return this.events();
	}

	/** @type {Room["history"]} */
	history({ signal, ...page } = {}) {
		return this.#get("/messages", page, signal);
	}

	/** @type {Room["messages"]} */
	messages({ signal, ...page } = {}) {
		return this.#get("/messages", { view: "messages", ...page }, signal);
	}

	/** @type {Room["thread"]} */
	thread(root, { signal, ...page } = {}) {
		return this.#get(`/threads/${root}/messages`, page, signal);
	}

	/** @type {Room["send"]} */
	async send(text, options) {
		if (typeof text !== "string" || text === "") {
			throw new TypeError("send() needs a text that is not empty.");
		}
		return this.#saved.send(this.id, text, options);
	}

	/** @type {Room["reply"]} */
	reply(root, text, options) {
		return this.send(text, { ...options, thread: root });
	}

	/** @type {Room["edit"]} */
	edit(position, text, { signal, clientId = newId(), mentions } = {}) {
		return this.#request("PATCH", `/messages/${position}`, { clientId, text, mentions }, signal);
	}

	/** @type {Room["delete"]} */
	delete(position, { signal, reason } = {}) {
		return this.#request("DELETE", `/messages/${position}`, { reason }, signal);
	}

	/** @type {Room["react"]} */
	react(position, key, on = true, { signal } = {}) {
		return this.#request(on ? "PUT" : "DELETE", `/messages/${position}/reactions/${encodeURIComponent(key)}`, undefined, signal);
	}

	/** @type {Room["pin"]} */
	pin(position, on = true, { signal } = {}) {
		return this.#request(on ? "PUT" : "DELETE", `/messages/${position}/pin`, undefined, signal);
	}

	/** @type {Room["read"]} */
	read(position) {
		this.#chat.read(this.id, position);
	}

	/** @type {Room["delivered"]} */
	delivered(position) {
		this.#chat.delivered(this.id, position);
	}

	/** @type {Room["typing"]} */
	typing() {
		this.#chat.typing(this.id);
	}

	/** @type {Room["readThread"]} */
	readThread(root, position, { signal } = {}) {
		return this.#request("PUT", `/threads/${root}/read`, { position }, signal);
	}

	/** @type {Room["followThread"]} */
	followThread(root, on = true, { signal } = {}) {
		return this.#request(on ? "PUT" : "DELETE", `/threads/${root}/follow`, undefined, signal);
	}

	/** @type {Room["close"]} */
	close() {
		this.end();
	}

	/** Ends all loops, with an error if there is one. */
	end(/** @type {Error | undefined} */ error = undefined) {
		this.#closed = true;
		this.#pause();
		this.#onClose();
		[...this.#queues].forEach((queue) => error ? queue.fail(error) : queue.end());
	}

	#get(/** @type {string} */ path, /** @type {object} */ page, /** @type {AbortSignal | undefined} */ signal) {
		const given = Object.entries(page).filter(([, value]) => value !== undefined);
		return this.#request("GET", `${path}?${new URLSearchParams(given)}`, undefined, signal);
	}

	/**
	 * @param {string} method
	 * @param {string} path
	 * @param {object | undefined} body
	 * @param {AbortSignal | undefined} signal
	 */
	#request(method, path, body, signal) {
		return this.#chat.request(method, `/api/rooms/${this.id}${path}`, body, { signal });
	}

	/** Begins with the first listener: after the position that is given, or else saved, or else with the newest page. */
	async #start() {
		if (!this.#started) {
			this.#started = true;
			await this.#saved.ready;
			const { after = this.#saved.position(this.id) } = this.#options;
			this.position ??= after === "newest" ? undefined : after;
			this.#follow();
		}
	}

	/** Follows the room no more while nobody listens; it continues after what was handled. */
	#stopUnused() {
		if (this.#started && this.#queues.size === 0 && this.#listeners.empty) {
			this.#started = false;
			this.#pause();
			this.position = this.#saved.position(this.id);
		}
	}

	#follow() {
		if (this.#closed) {
			return;
		}
		const { catchUp } = this.#options;
		this.#chat.follow(this.id, {
			onEvent: (/** @type {any} */ event) => this.#arrived(event),
			onReset: (/** @type {any} */ page) => this.#reset(page),
			onGapFilled: (/** @type {number} */ count) => this.#listeners.emit("gap-filled", { type: "gap-filled", room: this.id, count }),
			onSignal: (/** @type {any} */ signal) => [signal.type, "signal"].forEach((name) => this.#listeners.emit(name, signal)),
			onRefused: (/** @type {any} */ reason) => this.#refused(reason),
		}, { after: this.position, catchUp });
	}

	/** A reader that is too slow stops the subscription, instead of filling the memory. */
	#pause() {
		this.#chat.unfollow(this.id);
	}

	/** @param {RoomEvent} event */
	#arrived(event) {
		const before = this.position;
		this.position = event.position;
		if (!this.#isRepeated(event)) {
			this.#emit(event, before);
		}
		this.#handled();
	}

	#reset(/** @type {any} */ { events, head }) {
		const before = this.position;
		this.position = events.at(-1)?.position ?? 0;
		this.#emit({ type: "reset", room: this.id, position: this.position, events, head }, before);
		this.#handled();
	}

	/**
	 * @param {any} event
	 * @param {number | undefined} before
	 */
	#emit(event, before = -1) {
		this.#listeners.emit(event.type, event);
		this.#listeners.emit("event", event);
		this.#queues.forEach((queue) => queue.push(event, before));
	}

	#refused(/** @type {{code: string, message: string}} */ { code, message }) {
		this.#listeners.emit("refused", { type: "refused", room: this.id, code, message });
		[...this.#queues].forEach((queue) => queue.fail(new SendError(code, message)));
	}

	/** A message that was sent again, to a server that had forgotten it, is delivered twice and stored once. */
	#isRepeated(/** @type {any} */ { type, sender, clientId, position }) {
		if (!clientId || (type !== "message.posted" && type !== "thread.posted")) {
			return false;
		}
		const key = `${sender}/${clientId}`;
		// The same position comes again after a loop that has ended before it was handled.
		const first = this.#seen.get(key) ?? position;
		this.#seen.delete(key);
		this.#seen.set(key, first);
		if (this.#seen.size > REMEMBERED) {
			this.#seen.delete(this.#seen.keys().next().value ?? "");
		}
		return first !== position;
	}

	/** Saves how far all readers are. */
	#handled() {
		const position = Math.min(this.position ?? 0, ...[...this.#queues].map(({ handled }) => handled));
		if (position >= 0 && position !== this.#saved.position(this.id)) {
			this.#saved.moved(this.id, position);
		}
	}

}
