// @ts-check
/** @import { Storage } from "../index.d.ts" */

const STORE = "values";

/**
 * A storage in a database of the browser. Use one name for each user and tab that sends.
 * @param {string} name
 * @returns {Storage}
 */
export function indexedDbStorage(name) {
	/** @type {Promise<IDBDatabase> | undefined} */
	let opened;

	function open() {
		const request = indexedDB.open(name, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(STORE);
		return settled(request);
	}

	/**
	 * @template T
	 * @param {IDBTransactionMode} mode
	 * @param {(store: IDBObjectStore) => Promise<T>} action
	 */
	async function use(mode, action) {
		opened ??= open().catch((error) => {
			opened = undefined;
			throw error;
		});
		return action((await opened).transaction(STORE, mode).objectStore(STORE));
	}

	return {
		get: (key) => use("readonly", (store) => settled(store.get(key))),
		set: (key, value) => use("readwrite", (store) => done(store.put(value, key))),
		remove: (key) => use("readwrite", (store) => done(store.delete(key))),
		list: (prefix) => use("readonly", async (store) => {
			const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
			const [keys, values] = await Promise.all([settled(store.getAllKeys(range)), settled(store.getAll(range))]);
			return keys.map((key, index) => [String(key), values[index]]);
		}),
	};
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

/**
 * Resolves when the transaction is on disk.
 * @param {IDBRequest} request
 * @returns {Promise<void>}
 */
function done({ transaction }) {
	return new Promise((resolve, reject) => {
		const end = /** @type {IDBTransaction} */ (transaction);
		end.oncomplete = () => resolve();
		end.onerror = end.onabort = () => reject(end.error);
	});
}
