/**
 * Markers of one kind that the client moves forward in rooms: `read` or `delivered`. Calls in quick succession are sent
 * as one frame for each room. A frame that was not confirmed is sent again on the next connection.
 */
export class Markers {

	#moved = new Map();
	#timer;

	constructor(connection, action, delay) {
		Object.assign(this, { connection, action, delay });
	}

	/** Returns how far the marker has been moved, or 0. */
	position(room) {
		return this.#moved.get(room)?.position ?? 0;
	}

	move(room, position) {
		if (position > this.position(room)) {
			this.#moved.get(room)?.end?.();
			this.#moved.set(room, { position, settled: false, end: undefined });
			this.#timer ??= setTimeout(() => this.#flush(), this.delay);
		}
	}

	/** Sends nothing of that room up to a position, because it is not needed any more. */
	skip(room, position) {
		const marker = this.#moved.get(room);
		if (marker?.position <= position && !marker.end) {
			marker.settled = true;
		}
	}

	/** Called on each new connection. */
	resume() {
		this.#moved.forEach((marker) => (marker.end = undefined));
		this.#flush();
	}

	clear() {
		this.#moved.clear();
	}

	#flush() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		for (const [room, marker] of this.#moved) {
			if (!marker.settled && !marker.end) {
				const settle = () => (marker.settled = true);
				marker.end = this.connection.request(`/app/rooms.${room}.${this.action}`, { position: marker.position },
					{ onConfirmed: settle, onRefused: settle });
			}
		}
	}

}
