import { isTemporary, pause } from "./backoff.js";

const PREFIX = "request-";

/** Frames with a receipt, on one connection. A frame that is refused for a while is sent again with back-off. */
export class Requests {

	/** By receipt, until they are confirmed, refused permanently or ended. */
	#open = new Map();
	#count = 0;

	/**
	 * Sends a frame by `transmit(receipt)`, and again after each temporary refusal. Calls `onConfirmed()` on its RECEIPT,
	 * or `onRefused({code, message})` if the server refuses it permanently. Returns a function that ends the attempts.
	 */
	add(transmit, { onConfirmed, onRefused } = {}) {
		const receipt = PREFIX + ++this.#count;
		const send = () => {
			request.attempts++;
			transmit(receipt);
		};
		const request = { send, onConfirmed, onRefused, attempts: 0, timer: undefined };
		this.#open.set(receipt, request);
		send();
		return () => this.#end(receipt);
	}

	/** Called on a RECEIPT. */
	confirm(receipt) {
		this.#end(receipt)?.onConfirmed?.();
	}

	/** Called on an `error` event. Returns whether it is dealt with: the frame is sent again, or nobody waits for it. */
	refuse({ receipt, code, message, retryAfter }) {
		const request = this.#open.get(receipt);
		if (!request) {
			return Boolean(receipt?.startsWith(PREFIX));
		}
		if (isTemporary(code, request.attempts)) {
			request.timer = setTimeout(request.send, pause(request.attempts, retryAfter));
			return true;
		}
		this.#end(receipt).onRefused?.({ code, message });
		return false;
	}

	/** Ends all attempts, when the connection has ended. */
	clear() {
		[...this.#open.keys()].forEach((receipt) => this.#end(receipt));
	}

	#end(receipt) {
		const request = this.#open.get(receipt);
		clearTimeout(request?.timer);
		this.#open.delete(receipt);
		return request;
	}

}
