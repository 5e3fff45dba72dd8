import { pause } from "./backoff.js";

const PAGE = 100;
/** By default a client further behind than this many events restarts from the newest page. */
const MAX_CATCH_UP = 500;
/** How often an incomplete page is fetched again, and the first wait: the history may have nothing at the head. */
const MAX_INCOMPLETE = 6;
const INCOMPLETE_MS = 150;

/**
 * The events of one room: each once, in the order of their positions, without gaps. Live events are queued while
 * older ones are fetched. After a reconnect the feed continues after the last position; events that the server cannot
 * replay are fetched from the history.
 */
export class RoomFeed {

	#inbox = [];
	#draining = false;
	#generation = 0;
	#unsubscribe = [];

	/**
	 * `history({after, limit})` returns a page `{events, head}`. After more than `catchUp` missed events the feed begins anew
	 * with the newest page. Handlers, all but `onEvent` optional:
	 * `onEvent(event)`; `onGapFilled(count)` after fetched events were delivered; `onRefused({code, message})`;
	 * `onReset({events, head})` to replace everything shown with the newest page; `onSignal(signal)`.
	 */
	constructor({ room, after, history, handlers, catchUp = MAX_CATCH_UP }) {
		this.room = room;
		this.position = after;
		this.history = history;
		this.catchUp = catchUp;
		this.handlers = handlers;
	}

	/** Subscribes on a new connection, after the last known position if there is one. */
	start(connection) {
		const generation = this.#restart();
		const headers = () => this.position === undefined ? {} : { after: String(this.position) };
		const receive = (event) => generation === this.#generation && this.#receive(event);
		const onRefused = (reason) => this.handlers.onRefused?.(reason);
		this.#unsubscribe = [
			connection.subscribe(`/topic/rooms.${this.room}`, receive, { headers, onRefused }),
			connection.subscribe(`/topic/rooms.${this.room}.signals`, (signal) => this.handlers.onSignal?.(signal)),
		];
	}

	/** Ends the subscriptions and stops delivering events. */
	stop() {
		this.#restart();
		this.#unsubscribe.forEach((unsubscribe) => unsubscribe());
		this.#unsubscribe = [];
	}

	#restart() {
		this.#inbox = [];
		this.#draining = false;
		return ++this.#generation;
	}

	#receive(event) {
		this.#inbox.push(event);
		if (!this.#draining) {
			this.#drain();
		}
	}

	async #drain() {
		const generation = this.#generation;
		this.#draining = true;
		try {
			while (generation === this.#generation && this.#inbox.length > 0) {
				await this.#take(this.#inbox.shift(), generation);
			}
		}
		finally {
			this.#draining &&= generation !== this.#generation;
		}
	}

	async #take(event, generation) {
		const target = this.#missingUntil(event);
		if (target !== null) {
			await this.#catchUp(target, generation);
		}
		if (generation === this.#generation && event.position !== undefined) {
			this.#deliver(event);
		}
	}

	/** Returns the position that must be reached before this event, or null if nothing is missing. */
	#missingUntil(event) {
		if (event.type === "subscribed") {
			if (!event.recovered && this.position > event.head) {
				// A position of another log: nothing can follow it.
				this.position = undefined;
			}
			const complete = this.position !== undefined && event.recovered;
			return complete ? null : (event.head ?? 0);
		}
		if (event.type === "gap") {
			return event.to ?? event.head ?? Infinity;
		}
		return event.prev > (this.position ?? Infinity) ? event.prev : null;
	}

	#deliver(event) {
		if (this.position === undefined || event.position > this.position) {
			this.position = event.position;
			this.handlers.onEvent(event);
			return true;
		}
		return false;
	}

	/** Fetches up to `target`. Retries with back-off while that fails for a while, or a few times if a page is incomplete. */
	async #catchUp(target, generation) {
		let failures = 0;
		let incomplete = 0;
		while (incomplete < MAX_INCOMPLETE && generation === this.#generation) {
			let delay;
			try {
				const head = this.position === undefined ? await this.#reset(generation) : await this.#fill(generation);
				if (this.position >= (target === Infinity ? head : target)) {
					return;
				}
				delay = INCOMPLETE_MS * 2 ** incomplete++;
			}
			catch (error) {
				if (error.temporary === undefined) {
					throw error;
				}
				if (!error.temporary) {
					return;
				}
				delay = pause(++failures, error.retryAfter);
			}
			await new Promise((resume) => setTimeout(resume, delay));
		}
	}

	/** Delivers the events of the history after the last position, at once unless there is a limit; returns the room's head. */
	async #fill(generation) {
		const missed = [];
		let count = 0;
		let page;
		let more;
		const deliver = () => (count += missed.splice(0).filter((event) => this.#deliver(event)).length);
		do {
			page = await this.history({ after: missed.at(-1)?.position ?? this.position, limit: PAGE });
			if (generation !== this.#generation) {
				return page.head;
			}
			missed.push(...page.events);
			more = page.events.at(-1)?.position < page.head;
			this.catchUp === Infinity && deliver();
		} while (more && missed.length < this.catchUp);
		if (more) {
			return this.#reset(generation);
		}
		deliver();
		if (count > 0) {
			this.handlers.onGapFilled?.(count);
		}
		return page.head;
	}

	async #reset(generation) {
		const page = await this.history({ limit: PAGE });
		if (generation === this.#generation) {
			this.position = page.events.at(-1)?.position ?? 0;
			this.handlers.onReset?.(page);
		}
		return page.head;
	}

}
