// @ts-check
/** @import { Pending, Storage } from "../index.d.ts" */
import { newId } from "./chat-client.js";
import { SendError } from "./outbox.js";

const OUTBOX = "outbox/";
const POSITION = "position/";
const USER = "user";
/** A client that is closed leaves its messages to the next one. */
const LEFT = new Set(["closed", "signed-out", "other-user"]);

/** What survives a reload: the user, unacknowledged messages in their order, and the last position of each room. */
export class Saved {

	/** @type {string | undefined} */
	user;
	/** @type {Map<string, number>} */
	#positions = new Map();
	/** @type {Map<string, number>} */
	#unsaved = new Map();
	/** @type {Promise<unknown> | undefined} */
	#saving;
	#count = 0;
	#closed = false;
	/** @type {Promise<unknown>} */
	#order;
	/** Messages that are being saved before they are sent. */
	#entering = new Map();

	/**
	 * @param {Storage} storage
	 * @param {any} chat
	 * @param {(error: {code: string, message: string}) => void} onProblem
	 */
	constructor(storage, chat, onProblem) {
		this.storage = storage;
		this.chat = chat;
		this.onProblem = onProblem;
		this.ready = this.#order = this.#safely(() => this.#load());
	}

	/** Returns whether everything in the storage belongs to that user. */
	belongsTo(/** @type {string} */ user) {
		if (this.user === undefined) {
			this.user = user;
			this.#safely(() => this.storage.set(USER, user));
		}
		return this.user === user;
	}

	/** Returns the last position of a room, or undefined. */
	position(/** @type {string} */ room) {
		return this.#positions.get(room);
	}

	/** Saves how far a room was handled; of quick calls the last one. */
	moved(/** @type {string} */ room, /** @type {number} */ position) {
		this.#positions.set(room, position);
		this.#unsaved.set(room, position);
		this.#saving ??= this.#safely(async () => {
			while (this.#unsaved.size > 0) {
				const batch = [...this.#unsaved];
				this.#unsaved.clear();
				await Promise.all(batch.map(([id, last]) => this.storage.set(POSITION + id, last)));
			}
		}).finally(() => (this.#saving = undefined));
	}

	/**
	 * Saves a message, then sends it: after those of earlier calls, and of earlier programs.
	 * @param {string} room
	 * @param {string} text
	 * @param {any} [options]
	 */
	async send(room, text, { clientId = newId(), signal, ...fields } = {}) {
		signal?.throwIfAborted();
		this.#throwIfClosed();
		const message = { room, text, clientId, ...fields };
		this.#entering.set(message, message);
		const before = this.#order;
		const key = before.then(async () => {
			const place = OUTBOX + String(++this.#count).padStart(12, "0");
			await this.#safely(() => this.storage.set(place, message));
			return place;
		});
		this.#order = key;
		const place = await key;
		this.#entering.delete(message);
		try {
			this.#throwIfClosed();
			signal?.throwIfAborted();
		}
		catch (error) {
			this.#closed || await this.#remove(place);
			throw error;
		}
		return this.#deliver(place, message, signal);
	}

	/** Returns the unacknowledged messages, oldest first. */
	pending() {
		return /** @type {Pending[]} */ ([...this.chat.pending(), ...this.#entering.values()]);
	}

	/** Rejects what was not acknowledged, and leaves it in the storage. */
	close(/** @type {string} */ code, /** @type {string} */ message) {
		this.#closed = true;
		this.chat.dropUnsent(code, message);
	}

	#throwIfClosed() {
		if (this.#closed) {
			throw new SendError("closed", "The client is closed. Connect again.");
		}
	}

	async #load() {
		this.user = /** @type {string | undefined} */ (await this.storage.get(USER)) ?? undefined;
		for (const [key, position] of await this.storage.list(POSITION)) {
			this.#positions.set(key.slice(POSITION.length), /** @type {number} */ (position));
		}
		for (const [key, message] of await this.storage.list(OUTBOX)) {
			this.#count = Number(key.slice(OUTBOX.length));
			// The client tells of a refusal by the event "error".
			this.#deliver(key, message).catch(() => {});
		}
	}

	/**
	 * @param {string} key
	 * @param {any} message
	 * @param {AbortSignal} [signal]
	 */
	async #deliver(key, { room, text, clientId, ...fields }, signal) {
		const abort = () => this.chat.cancel(clientId, signal?.reason);
		signal?.addEventListener("abort", abort);
		try {
			const accepted = await this.chat.send(room, text, { clientId, ...fields });
			await this.#remove(key);
			return accepted;
		}
		catch (error) {
			if (!LEFT.has(/** @type {any} */ (error)?.code)) {
				await this.#remove(key);
			}
			throw error;
		}
		finally {
			signal?.removeEventListener("abort", abort);
		}
	}

	#remove(/** @type {string} */ key) {
		return this.#safely(() => this.storage.remove(key));
	}

	/** A storage that fails costs the memory of this client, not the messages. */
	async #safely(/** @type {() => unknown} */ action) {
		try {
			await action();
		}
		catch (error) {
			this.onProblem({ code: "storage-failed", message: `The storage failed: ${/** @type {any} */ (error)?.message ?? error}` });
		}
	}

}
