const SAVE_MS = 700;
const RETRY_MS = 5_000;
/** Distinguishes the changes of this page from those of the user's other devices. */
const DEVICE = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("-");

/**
 * What the user has written and not sent, for each room and thread. The browser keeps it, and the server for the
 * user's other devices. Of changes at the same time the last one wins. Calls `onChange(room)` when another device has
 * changed a draft.
 */
export class Drafts {

	#drafts = new Map();
	#saving = new Set();
	#timers = new Map();
	#saves = 0;

	constructor(chat, { onChange, onProblem }) {
		Object.assign(this, { chat, onChange, onProblem, username: chat.username });
		read(this.username).forEach((draft) => this.#drafts.set(id(draft.room, draft.thread), { ...draft, saved: 0 }));
		chat.on("draft.changed", (event) => this.#adopt(event));
		// Others may use the browser next. What the server does not have yet stays.
		chat.on("signed-out", () => this.#keep(({ unsaved }) => unsaved));
	}

	/** Returns the draft `{text, replyTo}` of a room, or of a thread in it. */
	of(room, thread = 0) {
		return this.#drafts.get(id(room, thread)) ?? { text: "", replyTo: undefined };
	}

	set(room, thread, { text, replyTo }) {
		const draft = this.#entry(room, thread);
		if (draft.text !== text || draft.replyTo !== replyTo) {
			Object.assign(draft, { text, replyTo, unsaved: true });
			this.#keep();
			this.#saveIn(SAVE_MS, draft);
		}
	}

	/** The text was sent. */
	remove(room, thread = 0) {
		this.set(room, thread, { text: "", replyTo: undefined });
		const draft = this.#entry(room, thread);
		draft.unsaved && this.#saveIn(0, draft);
	}

	/** Loads the drafts of the other devices, and saves those that the server does not have yet. */
	async load() {
		const before = this.#saves;
		const { drafts } = await this.chat.drafts();
		drafts.forEach((draft) => this.#adopt(draft));
		const present = new Set(drafts.map(({ room, thread }) => id(room, thread)));
		[...this.#drafts].filter(([key, draft]) => !present.has(key) && !this.#isChanging(key, draft) && draft.saved <= before)
			.forEach(([key, draft]) => {
				this.#drafts.delete(key);
				draft.text && this.onChange(draft.room);
			});
		this.#keep();
		[...this.#drafts.values()].filter(({ unsaved }) => unsaved).forEach((draft) => this.#saveIn(0, draft));
	}

	#entry(room, thread) {
		const key = id(room, thread);
		if (!this.#drafts.has(key)) {
			this.#drafts.set(key, { room, thread, text: "", replyTo: undefined, version: 0, unsaved: false, saved: 0 });
		}
		return this.#drafts.get(key);
	}

	#isChanging(key, { unsaved }) {
		return unsaved || this.#saving.has(key);
	}

	/** What the user is writing here is newer than what another device has saved. */
	#adopt({ room, thread, version, clientId, draft: content }) {
		const draft = this.#entry(room, thread);
		if (version <= draft.version) {
			return;
		}
		draft.version = version;
		if (clientId !== DEVICE && !this.#isChanging(id(room, thread), draft)) {
			Object.assign(draft, { text: content?.text ?? "", replyTo: content?.replyTo });
			this.#keep();
			this.onChange(room);
		}
	}

	#saveIn(millis, draft) {
		const key = id(draft.room, draft.thread);
		clearTimeout(this.#timers.get(key));
		this.#timers.set(key, setTimeout(() => this.#save(key, draft), millis));
	}

	/** One request for a draft at a time, so that the last one is the newest. */
	async #save(key, draft) {
		if (this.#saving.has(key)) {
			return;
		}
		this.#saving.add(key);
		let passed = false;
		try {
			while (draft.unsaved) {
				draft.unsaved = false;
				const { room, thread, text, replyTo } = draft;
				const answer = text.trim() ? await this.chat.saveDraft(room, thread, { text, replyTo, clientId: DEVICE })
					: await this.chat.deleteDraft(room, thread);
				draft.saved = ++this.#saves;
				passed = answer !== undefined && draft.version > answer.version;
				draft.version = Math.max(draft.version, answer?.version ?? 0);
			}
		}
		catch (error) {
			// A draft that the server refuses stays in this browser.
			draft.unsaved = true;
			error.temporary && this.#saveIn(RETRY_MS, draft);
		}
		finally {
			this.#saving.delete(key);
			this.#keep();
		}
		if (passed) {
			// Another device has saved after this one: whatever the server has now is newer.
			draft.version = 0;
			this.load().catch(this.onProblem);
		}
	}

	#keep(wanted = ({ text, unsaved }) => text || unsaved) {
		const kept = [...this.#drafts.values()].filter(wanted)
			.map(({ room, thread, text, replyTo, version, unsaved }) => ({ room, thread, text, replyTo, version, unsaved }));
		try {
			kept.length > 0 ? localStorage.setItem(storageKey(this.username), JSON.stringify(kept))
				: localStorage.removeItem(storageKey(this.username));
		}
		catch {
			// The browser keeps nothing; the server does.
		}
	}

}

function id(room, thread) {
	return JSON.stringify([room, thread]);
}

/** Names can contain dots, and so on: no key is the beginning of another one. */
function storageKey(username) {
	return JSON.stringify(["parley.drafts", username]);
}

/** Returns the drafts that an earlier page has kept; none if they cannot be read. */
function read(username) {
	try {
		const kept = JSON.parse(localStorage.getItem(storageKey(username)) ?? "[]");
		return kept.filter((draft) => typeof draft.room === "string" && Number.isSafeInteger(draft.thread)
			&& typeof draft.text === "string" && Number.isSafeInteger(draft.version)
			&& (draft.replyTo === undefined || Number.isSafeInteger(draft.replyTo)))
			.map((draft) => ({ ...draft, unsaved: Boolean(draft.unsaved) }));
	}
	catch {
		return [];
	}
}
