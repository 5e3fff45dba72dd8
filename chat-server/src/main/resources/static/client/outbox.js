const ACK_TIMEOUT_MS = 10_000;
/** How long a RECEIPT waits for the `accepted` event that names the position. */
const RECEIPT_GRACE_MS = 3_000;
const PAUSE_BASE_MS = 1_000;
const PAUSE_CAP_MS = 15_000;
/** Refusals that say "later", not "never". */
const LATER = new Set(["rate-limited", "log-unavailable", "append-unknown", "server-busy"]);

/** A message that the server refused for good. `code` is for programs, the message for people. */
export class SendError extends Error {

	constructor(code, message) {
		super(message);
		this.name = "SendError";
		this.code = code;
	}

}

/**
 * Messages on their way. Each room sends one message at a time, so that the room's order is the order
 * of the calls even when one must be sent again. A message keeps its `clientId` over all attempts; that
 * is what lets the server recognise it.
 */
export class Outbox {

	/** room → messages, the oldest first: only that one is in flight. */
	#queues = new Map();

	constructor(connection) {
		this.connection = connection;
	}

	/** Resolves with `{clientId, position, id}` once the message is durable; rejects with SendError. */
	send(room, text, clientId) {
		const { promise, ...settle } = deferred();
		const message = { room, text, clientId, attempts: 0, timer: undefined, inFlight: false, ...settle };
		const queue = this.#queues.get(room) ?? [];
		this.#queues.set(room, [...queue, message]);
		this.#flush(room);
		return promise;
	}

	/** Messages without an acknowledgement, the oldest first. */
	pending() {
		return [...this.#queues.values()].flat().map(({ room, text, clientId }) => ({ room, text, clientId }));
	}

	/** The connection is back: what was in flight may be lost, so it is sent again. */
	resume() {
		for (const [room, [first]] of this.#queues) {
			this.#halt(first);
			this.#flush(room);
		}
	}

	/** `accepted` came, or the message itself came back through its room. */
	accept(clientId, { position, id }) {
		this.#remove(clientId)?.resolve({ clientId, position, id });
	}

	/** An `error` event: the message of that clientId goes out again later, or is refused for good. */
	refuse({ clientId, code, message, retryAfter }) {
		const found = this.#find(clientId);
		if (found && LATER.has(code)) {
			this.#again(found, retryAfter ? retryAfter * 1000 : pause(found.attempts));
		}
		else if (found) {
			this.#remove(clientId).reject(new SendError(code, message));
		}
	}

	/** Gives up everything, for sign-out. */
	clear() {
		for (const { clientId } of this.pending()) {
			this.refuse({ clientId, code: "signed-out", message: "Signed out before the message was sent." });
		}
	}

	#flush(room) {
		const message = this.#queues.get(room)?.[0];
		if (!message || message.inFlight) {
			return;
		}
		const { clientId, text } = message;
		const onReceipt = () => this.#durable(message);
		message.inFlight = this.connection.sendWithReceipt(
			`/app/rooms.${room}.send`, { clientId, text }, `send-${clientId}`, onReceipt);
		if (message.inFlight) {
			message.attempts++;
			message.timer = setTimeout(() => this.#again(message, 0), ACK_TIMEOUT_MS);
		}
	}

	/** A RECEIPT alone is enough: after a grace period the message counts as accepted, its position unknown. */
	#durable(message) {
		if (this.#find(message.clientId)) {
			clearTimeout(message.timer);
			message.timer = setTimeout(() => this.accept(message.clientId, {}), RECEIPT_GRACE_MS);
		}
	}

	/** Sends the message again after a pause, unless an acknowledgement comes before. */
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

	#find(clientId) {
		return [...this.#queues.values()].flat().find((message) => message.clientId === clientId);
	}

	#remove(clientId) {
		const message = this.#find(clientId);
		if (message) {
			this.#halt(message);
			const rest = this.#queues.get(message.room).filter((other) => other !== message);
			if (rest.length > 0) {
				this.#queues.set(message.room, rest);
			}
			else {
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

/** Exponential with jitter: half of it fixed, so that a refused client always rests. */
function pause(attempts) {
	const limit = Math.min(PAUSE_CAP_MS, PAUSE_BASE_MS * 2 ** Math.max(0, attempts - 1));
	return limit / 2 + (Math.random() * limit) / 2;
}
