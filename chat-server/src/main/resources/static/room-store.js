import { Drafts } from "./drafts.js";
import { mentionsIn } from "./mentions.js";
import { Room } from "./room.js";
import { ScheduledStore } from "./scheduled-store.js";
import { ThreadStore } from "./thread-store.js";

const PAGE = 50;
/** Maximum number of rooms followed live, the most recent ones. Each takes two subscriptions; the server allows 200. */
const FOLLOWED = 60;
/** Maximum number of pages that are loaded to show a message. */
const MAX_REVEALED = 20;
const TYPING_MS = 5_000;
const LAST_SEEN_MS = 2_500;
/** How often a suspended user is checked. */
const STANDING_MS = 5_000;
const SUSPENDED = "suspended";

/**
 * The state of the page: rooms, their events and unsent messages. Calls `onChange(room)` after each change, with
 * `undefined` if the list itself changed. Views only read this state.
 */
export class RoomStore {

	rooms = new Map();
	current = null;
	/** Names of the users whom the user has blocked. */
	blocked = new Set();
	/** Whether the server has said that the account is suspended. */
	suspended = false;
	#standing;
	/** Whether the user is looking at the newest message; set by the conversation. */
	watching = () => false;

	constructor(chat, outbox, { onChange, onProblem }) {
		Object.assign(this, { chat, outbox, onChange, onProblem });
		this.threads = new ThreadStore(chat, { onChange, onProblem });
		this.drafts = new Drafts(chat, { onChange: (id) => onChange(this.rooms.get(id)), onProblem });
		this.scheduled = new ScheduledStore(chat, { onChange });
		chat.on("room.added", ({ room, name, kind }) => this.#safely(this.#added(room, { name, kind })));
		chat.on("room.removed", ({ room }) => this.drop(room));
		chat.on("role.changed", (event) => this.#roleChanged(event));
		chat.on("error", ({ code }) => code === SUSPENDED && this.#suspend());
		chat.on("unread.changed", (event) => this.#counted(event));
	}

	get sorted() {
		const when = (room) => Date.parse(room.waiting().at(-1)?.sentAt ?? room.last?.sentAt ?? 0);
		return [...this.rooms.values()].sort((one, other) => when(other) - when(one) || one.title.localeCompare(other.title));
	}

	get unread() {
		return [...this.rooms.values()].reduce((sum, room) => sum + room.unread, 0);
	}

	/** How many unread messages mention the user. */
	get mentions() {
		return [...this.rooms.values()].reduce((sum, room) => sum + room.mentions, 0);
	}

	/** Loads the list and follows its rooms. Called again after each reconnect. */
	async load() {
		const listed = await this.chat.rooms({ presence: true });
		const ids = new Set(listed.map(({ id }) => id));
		[...this.rooms.keys()].filter((id) => !ids.has(id)).forEach((id) => this.drop(id));
		listed.forEach((item) => this.#room(item.id).describe(item));
		this.rooms.forEach((room) => room.unread > 0 && this.#delivered(room));
		this.sorted.slice(0, FOLLOWED).forEach((room) => this.#follow(room));
		this.#restoreOutgoing();
		this.onChange();
		if (this.current && !this.current.loaded) {
			await this.open(this.current.id);
		}
		await this.loadBlocks();
		await this.threads.load();
		this.#safely(this.drafts.load());
		this.#safely(this.scheduled.load());
		this.current && await this.#detail(this.current);
		this.#checkStanding();
	}

	async open(id) {
		const room = this.rooms.get(id);
		this.current = room;
		room.dividerAfter = room.unread > 0 ? room.read : null;
		this.#follow(room);
		this.onChange(room);
		await this.#detail(room);
		if (!room.loaded) {
			const page = await this.chat.history(id, { limit: PAGE });
			room.loaded = true;
			room.atStart = page.events.length === 0;
			room.merge(page.events);
			this.#safely(this.#loadReactions(room, page.events));
		}
		this.onChange(room);
	}

	close() {
		this.current = null;
		this.onChange();
	}

	/** Loads the page before the oldest loaded event. */
	async older(room) {
		const page = await this.chat.history(room.id, { before: room.events[0].position, limit: PAGE });
		room.atStart = page.events.length === 0;
		room.merge(page.events);
		this.#safely(this.#loadReactions(room, page.events));
		this.onChange(room);
	}

	/** Opens a room and loads its events back to a message, unless that is very long ago. */
	async reveal(room, position) {
		await this.open(room.id);
		for (let page = 0; page < MAX_REVEALED && room.events[0]?.position > position && !room.atStart; page++) {
			await this.older(room);
		}
	}

	/** Gives a reaction to a message, or takes it back. */
	async react(room, position, key, on) {
		await this.chat.react(room.id, position, key, on);
		room.reacted(position, key, on);
		this.onChange(room);
	}

	/** Changes settings of a room. */
	async changeRoom(room, settings) {
		room.detail(await this.chat.changeRoom(room.id, settings));
		this.onChange(room);
	}

	/** Sends a message; `replyTo` is the position of the message that it answers, `thread` the root of its thread. */
	send(room, text, { replyTo, thread } = {}) {
		room.dividerAfter = thread ? room.dividerAfter : null;
		this.#deliver(room, this.outbox.add(room.id, text, { replyTo, thread, mentions: mentionsIn(text, room) }));
	}

	retry(room, message) {
		message.problem = null;
		this.#deliver(room, message, true);
	}

	discard(room, message) {
		this.outbox.remove(message.clientId);
		room.outgoing = room.outgoing.filter((other) => other !== message);
		this.onChange(room);
	}

	/** Moves the read marker to the newest message, which is on the screen. */
	seen(room) {
		if (room.loaded && (room.unread > 0 || room.read < room.lastPosition)) {
			room.markRead();
			this.chat.read(room.id, room.read);
			this.onChange(room);
		}
	}

	/** Loads the members of a room anew, after a change of them. */
	refresh(room) {
		return this.#detail(room);
	}

	async loadBlocks() {
		this.blocked = new Set((await this.chat.blocks()).map(({ username }) => username));
		this.onChange();
	}

	/** Blocks a user, or unblocks them. */
	async block(username, blocked) {
		await this.chat.block(username, blocked);
		blocked ? this.blocked.add(username) : this.blocked.delete(username);
		this.onChange();
	}

	/** Follows a room that was just created or joined. */
	async adopt(id) {
		await this.#added(id);
		await this.open(id);
	}

	drop(id) {
		const room = this.rooms.get(id);
		this.chat.unfollow(id);
		this.rooms.delete(id);
		if (room && this.current === room) {
			this.current = null;
		}
		this.onChange();
	}

	#room(id) {
		if (!this.rooms.has(id)) {
			this.rooms.set(id, new Room(id, this.chat.username));
		}
		return this.rooms.get(id);
	}

	/** Follows the room at once, whatever becomes of the request for the details. */
	async #added(id, known = {}) {
		const room = Object.assign(this.#room(id), known);
		this.#follow(room);
		this.onChange();
		await this.#detail(room);
	}

	async #detail(room) {
		room.detail(await this.chat.room(room.id));
		this.onChange(room);
	}

	/** What the event says counts at once, whatever becomes of the request for the details. */
	#roleChanged({ room: id, role, mutedUntil }) {
		const room = this.rooms.get(id);
		if (room) {
			const me = room.members.get(this.chat.username);
			room.role = role;
			me && Object.assign(me, { role, mutedUntil });
			this.onChange(room);
			this.#safely(this.#detail(room));
		}
	}

	#suspend() {
		if (!this.suspended) {
			this.suspended = true;
			this.onChange();
			this.#checkStanding();
		}
	}

	/**
	 * Asks the server whether the user may write, by a read marker that does not move, and goes on while they may not:
	 * no event tells that a suspension has begun or ended.
	 */
	async #checkStanding() {
		clearTimeout(this.#standing);
		const [room] = this.rooms.values();
		if (!room) {
			return;
		}
		let again = this.suspended;
		try {
			await this.chat.readByRest(room.id, room.read);
			again = this.suspended = false;
		}
		catch ({ code, temporary }) {
			// Anything else that is refused was not refused because of a suspension.
			again = this.suspended = code === SUSPENDED || (temporary && this.suspended);
		}
		this.onChange();
		if (again) {
			this.#standing = setTimeout(() => this.#checkStanding(), STANDING_MS);
		}
	}

	#follow(room) {
		if (room.followed) {
			return;
		}
		this.sorted.filter((other) => other.followed && other !== this.current).slice(FOLLOWED - 1).forEach((other) => {
			other.followed = false;
			this.chat.unfollow(other.id);
		});
		room.followed = true;
		this.chat.follow(room.id, {
			onEvent: (event) => this.#arrived(room, event),
			onReset: ({ events }) => this.#reset(room, events),
			onSignal: (signal) => this.#signalled(room, signal),
			onRefused: () => (room.followed = false),
		}, { after: room.lastPosition || undefined });
	}

	#arrived(room, event) {
		const readSoFar = room.read;
		const foreign = room.append(event);
		if (foreign && room === this.current && room.dividerAfter === null && !this.watching()) {
			room.dividerAfter = readSoFar;
		}
		if (foreign) {
			this.#delivered(room);
		}
		this.onChange(room);
	}

	/** Tells the others that the newest message has arrived here. */
	#delivered(room) {
		if (room.small) {
			this.chat.delivered(room.id, room.head);
		}
	}

	#reset(room, events) {
		room.events = [];
		room.atStart = false;
		room.merge(events);
		room.loaded = true;
		this.#safely(this.#loadReactions(room, events));
		this.onChange(room);
	}

	#signalled(room, signal) {
		room.signal(signal);
		if (signal.type === "typing" && signal.user !== this.chat.username) {
			clearTimeout(room.typing.get(signal.user));
			const stop = () => room.typing.delete(signal.user) && this.onChange(room);
			room.typing.set(signal.user, setTimeout(stop, TYPING_MS));
		}
		if (signal.type === "presence" && signal.state === "offline" && room === this.current && signal.user === room.peer) {
			// The server stores a moment later when the user was last seen.
			setTimeout(() => this.rooms.has(room.id) && this.#safely(this.#detail(room)), LAST_SEEN_MS);
		}
		this.onChange(room);
	}

	#counted(event) {
		const room = this.rooms.get(event.room);
		if (room) {
			this.#follow(room);
			room.countUnread(event);
			this.onChange(room);
		}
	}

	#restoreOutgoing() {
		for (const message of this.outbox.take()) {
			const room = this.rooms.get(message.room);
			if (room) {
				this.#deliver(room, message);
			}
		}
	}

	async #deliver(room, message, again = false) {
		if (!again) {
			room.outgoing.push(message);
		}
		this.onChange(room);
		try {
			const { clientId, replyTo, thread, mentions } = message;
			await this.chat.send(room.id, message.text, { clientId, replyTo, thread, mentions });
			message.accepted = true;
			this.outbox.remove(message.clientId);
		}
		catch (error) {
			message.problem = error.message;
		}
		this.onChange(room);
	}

	/** The events of a page do not say which reactions are the user's own; the view does. */
	async #loadReactions(room, events) {
		const reacted = room.withReactions(events);
		if (reacted.length > 0) {
			const { messages } = await this.chat.messages(room.id, { after: reacted[0].position - 1, limit: events.length });
			room.see(messages);
			this.onChange(room);
		}
	}

	#safely(promise) {
		promise.catch((error) => this.onProblem(error));
	}

}
