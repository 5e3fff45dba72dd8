import { isTemporary, pause } from "./backoff.js";

const ACK_TIMEOUT_MS = 10_000;
/** How long to wait after a RECEIPT for the `accepted` event, which contains the position. */
const RECEIPT_GRACE_MS = 3_000;

/** The server refused a message permanently. `code` is for programs, `message` for people. */
export class SendError extends Error {

	constructor(code, message) {
		super(message);
		this.name = "SendError";
		this.code = code;
	}

}

/**
 * Queues messages until they are acknowledged. Each room has one message in flight at a time, so that messages keep
 * the order of the calls even if one is sent again. A message keeps its `clientId` across all attempts, so that the
 * server recognises duplicates.
 */
export class Outbox {

	/** Messages by room, oldest first; only the first one is in flight. */
	#queues = new Map();

	constructor(connection) {
		this.connection = connection;
	}

	/** Resolves with `{clientId, position, id}` once the message is durable; rejects with SendError. */
	send(room, text, clientId, fields = {}) {
		const { promise, ...settle } = deferred();
		const message = { room, text, clientId, fields, attempts: 0, timer: undefined, inFlight: false, ...settle };
		if (!this.#queues.has(room)) {
			this.#queues.set(room, []);
		}
		this.#queues.get(room).push(message);
		this.#flush(room);
		return promise;
	}

	/** Returns the unacknowledged messages, oldest first. */
	pending() {
		return [...this.#queues.values()].flat().map(({ room, text, clientId, fields }) => ({ room, text, clientId, ...fields }));
	}

	/** Called after a reconnect. Sends messages in flight again, because they may be lost. */
	resume() {
		for (const [room, [first]] of this.#queues) {
			this.#halt(first);
			this.#flush(room);
		}
	}

	/** Called when the `accepted` event or the message itself arrives. */
	accept(clientId, { position, id }) {
		this.#remove(clientId)?.resolve({ clientId, position, id });
	}

	/**
	 * Called on an `error` event. Retries the message with that clientId later, and returns true, or rejects it
	 * permanently.
	 */
	refuse({ clientId, code, message, retryAfter }) {
		const found = this.#find(clientId);
		if (found && isTemporary(code, found.attempts)) {
			this.#again(found, pause(found.attempts, retryAfter));
			return true;
		}
		if (found) {
			this.#remove(clientId).reject(new SendError(code, message));
		}
		return false;
	}

	/** Sends a message no more, and rejects it with that error. If it is in flight, it may be accepted nevertheless. */
	cancel(clientId, error) {
		this.#remove(clientId)?.reject(error);
	}

	/** Rejects all messages, by default on sign-out. Sends none of them. */
	clear(code = "signed-out", message = "Signed out before the message was sent.") {
		const messages = [...this.#queues.values()].flat();
		this.#queues.clear();
		for (const pending of messages) {
			this.#halt(pending);
			pending.reject(new SendError(code, message));
		}
	}

	#flush(room) {
		const message = this.#queues.get(room)?.[0];
		if (!message || message.inFlight) {
			return;
		}
		const { clientId, text, fields } = message;
		const onReceipt = () => this.#durable(message);
		message.inFlight = this.connection.sendWithReceipt(
			`/app/rooms.${room}.send`, { clientId, text, ...fields }, `send-${clientId}`, onReceipt);
		if (message.inFlight) {
			message.attempts++;
			message.timer = setTimeout(() => this.#again(message, 0), ACK_TIMEOUT_MS);
		}
	}

	/** Called on a RECEIPT. After a grace period without `accepted`, the message counts as accepted at an unknown position. */
	#durable(message) {
		if (this.#find(message.clientId)) {
			clearTimeout(message.timer);
			message.timer = setTimeout(() => this.accept(message.clientId, {}), RECEIPT_GRACE_MS);
		}
	}

	/** Sends the message again after the delay, unless it is acknowledged first. */
	#again(message, delay) {
		clearTimeout(message.timer);
		message.timer = setTimeout(() => {
			this.#halt(message);
			this.#flush(message.room);
		}, delay);
	}

	#halt(message) {
		clearTimeout(message.timer);
		message.inFlight = false;
	}

	/** Searches the messages in flight first: answers are about them, and queues can be long after an outage. */
	#find(clientId) {
		const hasId = (message) => message.clientId === clientId;
		const queues = [...this.#queues.values()];
		return queues.map(([first]) => first).find(hasId) ?? queues.flat().find(hasId);
	}

	#remove(clientId) {
		const message = this.#find(clientId);
		if (message) {
			this.#halt(message);
			const queue = this.#queues.get(message.room);
			queue.splice(queue.indexOf(message), 1);
			if (queue.length === 0) {
				this.#queues.delete(message.room);
			}
			this.#flush(message.room);
		}
		return message;
	}

}

function deferred() {
	const settle = {};
	settle.promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
	return settle;
}
