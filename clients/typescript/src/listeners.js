// @ts-check
/** Functions by the name of what they listen to. */
export class Listeners {

	/** @type {Map<string, Set<Function>>} */
	#byName = new Map();

	constructor(onRemoved = () => {}) {
		this.onRemoved = onRemoved;
	}

	get empty() {
		return [...this.#byName.values()].every((listeners) => listeners.size === 0);
	}

	/**
	 * Adds a listener, until the function that is returned is called, or until the signal.
	 * @param {string} name
	 * @param {Function} listener
	 * @param {{signal?: AbortSignal}} [options]
	 */
	add(name, listener, { signal } = {}) {
		if (typeof listener !== "function") {
			throw new TypeError(`on("${name}", listener) needs a function.`);
		}
		const listeners = this.#byName.get(name) ?? new Set();
		const remove = () => {
			listeners.delete(listener);
			this.onRemoved();
		};
		if (!signal?.aborted) {
			this.#byName.set(name, listeners.add(listener));
			signal?.addEventListener("abort", remove, { once: true });
		}
		return remove;
	}

	/** Calls the listeners. One that throws is reported as an uncaught error and stops nobody else. */
	emit(/** @type {string} */ name, /** @type {unknown} */ detail) {
		for (const listener of [...this.#byName.get(name) ?? []]) {
			try {
				listener(detail);
			}
			catch (error) {
				queueMicrotask(() => {
					throw error;
				});
			}
		}
	}

}
