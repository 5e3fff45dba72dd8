// @ts-check
/** @import { Storage } from "../index.d.ts" */

/**
 * A storage that ends with the program.
 * @returns {Storage}
 */
export function memoryStorage() {
	const values = new Map();
	return {
		get: (key) => values.get(key),
		set: (key, value) => void values.set(key, value),
		remove: (key) => void values.delete(key),
		list: (prefix) => [...values].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1)),
	};
}
