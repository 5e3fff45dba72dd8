// @ts-check
/** @import { Room, TimelineMessage } from "../index.d.ts" */
import { MessageChanges } from "./message-changes.js";

const CHANGES = new Set(["message.edited", "message.deleted", "reaction.changed", "pin.changed"]);

/** The messages of a room as they read now. A snapshot is a new array after each change, and the same one between. */
export class Timeline {

	/** @type {readonly TimelineMessage[]} */
	messages = [];
	/** @type {any[]} */
	#posted = [];
	/** @type {MessageChanges} */
	#changes;
	/** @type {Set<() => void>} */
	#listeners = new Set();
	#end = new AbortController();
	#limit;
	#room;

	/**
	 * @param {Room} room
	 * @param {{limit?: number}} [options]
	 */
	constructor(room, { limit = 500 } = {}) {
		this.#limit = limit;
		this.#changes = new MessageChanges(undefined);
		this.#room = room;
		room.on("reset", ({ events }) => this.#reset(events), this.#end);
		room.on("event", (event) => event.type === "reset" || this.#take([event]), this.#end);
	}

	/** Calls the listener after each change; returns a function that ends that. */
	subscribe = (/** @type {() => void} */ listener) => {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	};

	/** Listens to the room no more. */
	close() {
		this.#end.abort();
	}

	#reset(/** @type {any[]} */ events) {
		this.#posted = [];
		this.#take(events);
	}

	#take(/** @type {any[]} */ events) {
		this.#changes.me = this.#room.username;
		for (const event of events) {
			if (event.type === "message.posted" || event.type === "thread.posted") {
				this.#posted.push(event);
			}
			else if (CHANGES.has(event.type)) {
				this.#changes.apply(event);
			}
		}
		this.#posted = this.#posted.slice(-this.#limit);
		this.messages = this.#posted.map((message) => this.#changes.current(message));
		this.#listeners.forEach((listener) => listener());
	}

}
