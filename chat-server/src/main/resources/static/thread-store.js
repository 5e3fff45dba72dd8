const PAGE = 50;

/** The threads that the user follows, and the one that is open. Calls `onChange` after each change. */
export class ThreadStore {

	/** The open thread: `{room, root, loaded, atStart}`, where `loaded` has messages by position; or null. */
	open = null;
	/** By room and root: `{room, root, following, unread, read, replies?}`. */
	#known = new Map();
	#reading = 0;

	constructor(chat, { onChange, onProblem }) {
		Object.assign(this, { chat, onChange, onProblem });
		chat.on("thread.changed", ({ room, thread: root, following, unread, read }) => {
			// Counted before the user read on another device: events of two servers may cross.
			if (read >= this.of(room, root).read) {
				this.#learn({ room, root, following, unread, read });
			}
		});
	}

	/** Loads what the user follows. Called again after each reconnect. */
	async load() {
		const { threads } = await this.chat.threads();
		this.#known.clear();
		threads.forEach(({ room, root, replies, unread, read }) => this.#learn({ room, root, following: true, unread, read, replies }));
		if (this.open) {
			await this.#fetch();
		}
	}

	/** Returns what is known of a thread for the user. */
	of(room, root) {
		return this.#known.get(key(room, root)) ?? { room, root, following: false, unread: 0, read: 0 };
	}

	/** The threads that the user follows, those with unread replies first. */
	get followed() {
		return [...this.#known.values()].filter(({ following }) => following).sort((one, other) => other.unread - one.unread);
	}

	get unread() {
		return this.followed.reduce((sum, { unread }) => sum + unread, 0);
	}

	/** Opens the thread of a message of a room. */
	async show(room, root) {
		this.open = { room, root, loaded: new Map(), atStart: true };
		this.onChange();
		await this.#fetch();
	}

	close() {
		this.open = null;
		this.onChange();
	}

	/** Loads the page before the oldest reply that is shown. */
	async older() {
		const oldest = this.replies()[0]?.position;
		await this.#fetch({ before: oldest });
	}

	/** Returns the root of the open thread as it reads now, or undefined if it is not loaded yet. */
	root() {
		const { room, root, loaded } = this.open;
		const message = room.message(root) ?? loaded.get(root);
		return message && room.current(message);
	}

	/** Returns the replies of the open thread as they read now, in ascending order. */
	replies() {
		const { room, root, loaded } = this.open;
		const all = new Map([...loaded].filter(([position]) => position !== root));
		room.replies(root).forEach((reply) => all.set(reply.position, reply));
		return [...all.values()].sort((one, other) => one.position - other.position).map((reply) => room.current(reply));
	}

	async follow(following) {
		const { room, root } = this.open;
		await this.chat.followThread(room.id, root, following);
		this.#learn({ ...this.of(room.id, root), following });
	}

	/** Moves the read marker to the last reply, which is on the screen. */
	seen() {
		const { room, root } = this.open;
		const last = this.replies().at(-1)?.position ?? 0;
		const { unread, read } = this.of(room.id, root);
		if (unread > 0 && last > Math.max(read, this.#reading)) {
			this.#reading = last;
			this.chat.readThread(room.id, root, last).catch(this.onProblem).finally(() => (this.#reading = 0));
		}
	}

	async #fetch(page = {}) {
		const opened = this.open;
		const { room, root } = opened;
		const answer = await this.chat.thread(room.id, root, { limit: PAGE, ...page });
		room.see([answer.root, ...answer.messages]);
		[answer.root, ...answer.messages].forEach((message) => opened.loaded.set(message.position, message));
		opened.atStart = answer.messages.length < PAGE;
		this.#learn({ room: room.id, root, following: answer.following, unread: answer.unread, read: answer.read });
	}

	#learn(thread) {
		const id = key(thread.room, thread.root);
		this.#known.set(id, { ...this.#known.get(id), ...thread });
		this.onChange();
	}

}

function key(room, root) {
	return `${room} ${root}`;
}
