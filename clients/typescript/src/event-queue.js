// @ts-check
/** More than this many events wait for nobody: the room is paused. */
const MOST = 1_000;

/** The events of a room for one `for await`. An event counts as handled when the next one is asked for. */
export class EventQueue {

	/** @type {{event: any, before: number}[]} */
	#events = [];
	/** @type {{resolve: Function, reject: Function}[]} */
	#waiting = [];
	#full = false;
	#ended = false;
	/** @type {unknown} */
	#error;
	/** @type {{event: any, before: number} | undefined} */
	#taken;
	/** The position up to which everything is handled: Infinity if nothing waits, -1 if nothing was handled. */
	handled = Infinity;

	/** @param {{onHandled: () => void, onFull: () => void, onEmpty: () => void, onEnd: () => void}} handlers */
	constructor(handlers) {
		this.handlers = handlers;
	}

	[Symbol.asyncIterator]() {
		return this;
	}

	/** @returns {Promise<IteratorResult<any, undefined>>} */
	next() {
		this.#taken = undefined;
		this.#update();
		if (this.#events.length === 0 && this.#full) {
			this.#full = false;
			this.handlers.onEmpty();
		}
		return new Promise((resolve, reject) => {
			this.#waiting.push({ resolve, reject });
			this.#serve();
		});
	}

	/**
	 * Called by `break`. The event at which the loop ended is not handled.
	 * @returns {Promise<IteratorResult<any, undefined>>}
	 */
	async return() {
		this.end();
		return { done: true, value: undefined };
	}

	/**
	 * @param {any} event
	 * @param {number} before the position before the event, or -1
	 */
	push(event, before) {
		if (!this.#ended) {
			this.#events.push({ event, before });
			this.#serve();
			if (this.#events.length >= MOST && !this.#full) {
				this.#full = true;
				this.handlers.onFull();
			}
		}
	}

	/** Ends the loop after the events that wait. */
	end() {
		if (!this.#ended) {
			this.#ended = true;
			this.handlers.onEnd();
			this.#serve();
		}
	}

	/** Ends the loop with an error. */
	fail(/** @type {unknown} */ error) {
		this.#error ??= error;
		this.#events = [];
		this.end();
	}

	#serve() {
		while (this.#waiting.length > 0 && (this.#events.length > 0 || this.#ended)) {
			const { resolve, reject } = /** @type {any} */ (this.#waiting.shift());
			if (this.#events.length > 0) {
				this.#taken = this.#events.shift();
				resolve({ done: false, value: this.#taken?.event });
			}
			else if (this.#error) {
				reject(this.#error);
			}
			else {
				resolve({ done: true, value: undefined });
			}
		}
		this.#update();
	}

	#update() {
		const first = this.#taken ?? this.#events[0];
		const before = this.handled;
		this.handled = first ? first.before : Infinity;
		if (this.handled > before) {
			this.handlers.onHandled();
		}
	}

}
