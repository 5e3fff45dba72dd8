import { MessageChanges } from "./client/message-changes.js";
import { mentionsUser } from "./mentions.js";

/** Larger rooms get no signals about their members. */
const SMALL = 100;

/** The state of one room. Events are in ascending order, each position once. */
export class Room {

	name = "";
	topic = "";
	/** The seconds between two messages of a member. */
	slowMode = 0;
	/** Whether members may pin messages. */
	memberPins = false;
	kind = "group";
	unread = 0;
	/** How many of the unread messages mention the user. */
	mentions = 0;
	head = 0;
	read = 0;
	last = null;
	members = new Map();
	events = [];
	loaded = false;
	atStart = false;
	outgoing = [];
	typing = new Map();
	dividerAfter = null;
	/** Grows with each change of a message. */
	changedMessages = 0;
	#changes;

	constructor(id, me) {
		this.id = id;
		this.me = me;
		this.#changes = new MessageChanges(me);
	}

	/** The peer of a direct room, otherwise the name. */
	get title() {
		return (this.kind === "direct" && this.peer) || this.name || this.id;
	}

	get lastPosition() {
		return this.events.at(-1)?.position ?? this.head;
	}

	/** What the peer of a direct room is: `online`, `away` or `offline`. */
	get peerState() {
		return this.kind === "direct" ? presenceOf(this.members.get(this.peer)) : "offline";
	}

	/** When the peer of a direct room was last online, if that is known and the peer is not online now. */
	get peerLastSeen() {
		return this.kind === "direct" ? this.members.get(this.peer)?.lastSeen : undefined;
	}

	/** Whether the room gets signals about its members. */
	get small() {
		return this.memberCount <= SMALL;
	}

	/** Applies an item of the room list. */
	describe({ name, topic = "", kind, private: isPrivate, slowMode = 0, memberPins = false, peer, presence, role, unread, mentions,
		head, read, lastEvent, memberCount }) {
		Object.assign(this, { name, topic, kind, isPrivate, slowMode, memberPins, peer, role, memberCount });
		if (presence) {
			const { online, away, lastSeen } = presence;
			this.members.set(peer, { read: 0, delivered: 0, ...this.members.get(peer), online, away, lastSeen });
		}
		this.head = Math.max(this.head, head ?? 0);
		this.last = this.events.length > 0 ? this.last : (lastEvent ?? this.last);
		this.countUnread({ unread, mentions, head, read });
	}

	/** Applies the details of the room. */
	detail({ name, topic = "", kind, private: isPrivate, slowMode = 0, memberPins = false, role, memberCount, members }) {
		const before = this.members;
		Object.assign(this, { name, topic, kind, isPrivate, slowMode, memberPins, role, memberCount });
		this.members = new Map(members.map(({ username, role, online, away, lastSeen, read = 0, delivered = 0, mutedUntil }) => {
			const known = before.get(username) ?? { read: 0, delivered: 0 };
			return [username, { role, mutedUntil, online, away, lastSeen, read: Math.max(read, known.read),
				delivered: Math.max(delivered, known.delivered) }];
		}));
		this.peer = kind === "direct" ? members.find(({ username }) => username !== this.me)?.username : undefined;
	}

	/** Adds a live event; returns whether it is a message from another user. */
	append(event) {
		if (event.position <= (this.events.at(-1)?.position ?? 0)) {
			return false;
		}
		this.events.push(event);
		this.#change(event, true);
		this.#notice(event);
		this.#noticeMember(event);
		const foreign = this.#isForeign(event);
		this.unread += foreign && event.position > this.read ? 1 : 0;
		this.mentions += foreign && event.position > this.read && this.#mentionsMe(event) ? 1 : 0;
		return foreign;
	}

	/** Merges a page of history. */
	merge(events) {
		const known = new Set(this.events.map(({ position }) => position));
		const added = events.filter(({ position }) => !known.has(position));
		this.events = [...this.events, ...added].sort((one, other) => one.position - other.position);
		added.forEach((event) => this.#change(event, false));
		this.events.slice(-1).forEach((event) => this.#notice(event));
		const last = this.events.findLast(({ type }) => type === "message.posted");
		this.last = last?.position >= (this.last?.position ?? 0) ? this.current(last) : this.last;
		this.atStart ||= this.events[0]?.type === "room.created";
		return added.length;
	}

	/** Applies the server's unread counts, a snapshot, and adds the messages that came after it. */
	countUnread({ unread = 0, mentions = 0, head = 0, read = 0 }) {
		this.read = Math.max(this.read, read);
		const later = this.events.filter((event) => this.#isForeign(event) && event.position > Math.max(head, this.read));
		const before = this.read > read ? 0 : unread - this.#changes.deletedSince(head, this.read);
		this.unread = Math.max(0, before) + later.length;
		this.mentions = Math.min(this.unread, (this.read > read ? 0 : mentions) + later.filter((event) => this.#mentionsMe(event)).length);
	}

	/** Returns a message as it reads now. */
	current(message) {
		return this.#changes.current(message);
	}

	/** Returns the message or reply at that position, or undefined if it is not loaded. */
	message(position) {
		return this.events.find((event) => event.position === position && isMessage(event));
	}

	/** Returns the loaded replies in the thread of a message. */
	replies(root) {
		return this.events.filter(({ type, thread }) => type === "thread.posted" && thread === root);
	}

	/**
	 * Returns how many replies the loaded messages have, by position. After a message all its replies are loaded,
	 * because they are later events.
	 */
	threads() {
		const threads = new Map();
		this.events.filter((event) => event.type === "thread.posted" && !this.current(event).deleted)
			.forEach(({ thread }) => threads.set(thread, (threads.get(thread) ?? 0) + 1));
		return threads;
	}

	/** Returns those of the events that are messages with reactions, as far as is known. */
	withReactions(events) {
		return events.filter((event) => event.type === "message.posted" && this.current(event).reactions?.length > 0);
	}

	/** Applies messages of a view. */
	see(views) {
		views.forEach((view) => this.#changes.applyView(view));
	}

	/** Records that the server has taken a reaction of the user. */
	reacted(position, key, on) {
		this.#changes.reacted(position, key, on);
	}

	markRead() {
		this.read = Math.max(this.read, this.lastPosition);
		this.unread = this.mentions = 0;
	}

	/** Returns the other members who have read that position. */
	seenBy(position) {
		return [...this.members].filter(([name, { read }]) => name !== this.me && read >= position).map(([name]) => name);
	}

	/** Returns the other members to whom the message at that position was delivered; some of them may have read it. */
	deliveredTo(position) {
		return [...this.members].filter(([name, { read, delivered }]) => name !== this.me && Math.max(read, delivered) >= position)
			.map(([name]) => name);
	}

	/** When the user's own mute ends, or undefined. */
	get mutedUntil() {
		return this.members.get(this.me)?.mutedUntil;
	}

	/** Returns own messages that have not arrived as events of the room yet; with a root, those of its thread. */
	waiting(root) {
		const arrived = new Set(this.events.filter(({ sender }) => sender === this.me).map(({ clientId }) => clientId));
		this.outgoing = this.outgoing.filter(({ clientId }) => !arrived.has(clientId));
		return this.outgoing.filter(({ thread }) => thread === root);
	}

	signal({ type, user, position, positions = { [user]: position }, state, away, memberCount }) {
		const member = this.members.get(user);
		if (type === "read") {
			Object.entries(positions).forEach(([name, read]) => this.#hasRead(name, read));
		}
		else if (type === "delivered") {
			Object.entries(positions).forEach(([name, delivered]) => this.#hasRead(name, 0, delivered));
		}
		else if (type === "presence" && member) {
			Object.assign(member, { online: state === "online", away, lastSeen: undefined });
		}
		else if (type === "member-count") {
			this.memberCount = memberCount;
		}
	}

	/** Whether the event is a message of somebody else that was not deleted. */
	#isForeign(event) {
		return event.type === "message.posted" && event.sender !== this.me && !this.current(event).deleted;
	}

	#mentionsMe(message) {
		return mentionsUser(this.current(message), this.me);
	}

	/** Applies a change of a message. One that arrives live can change what is unread. */
	#change(event, live) {
		const target = this.events.find(({ position }) => position === event.target);
		const mentioned = target && this.#mentionsMe(target);
		if (!this.#changes.apply(event)) {
			return;
		}
		this.changedMessages++;
		if (this.last?.position === event.target) {
			this.last = this.current(this.last);
		}
		if (live && target?.position > this.read && !event.thread) {
			this.mentions = Math.max(0, this.mentions + this.#mentionsMe(target) - mentioned);
		}
		if (live && event.type === "message.deleted" && !event.thread && event.target > this.read && target?.sender !== this.me) {
			this.unread = Math.max(0, this.unread - 1);
		}
	}

	#hasRead(name, position, delivered = position) {
		const member = this.members.get(name);
		if (member) {
			member.read = Math.max(member.read, position);
			member.delivered = Math.max(member.delivered, delivered);
		}
	}

	#notice(event) {
		this.head = Math.max(this.head, event.position);
		if (event.type === "message.posted") {
			this.last = event;
			this.typing.delete(event.sender);
			this.#hasRead(event.sender, event.position);
		}
		else if (event.type === "member.role" && this.members.has(event.member)) {
			this.members.get(event.member).role = event.role;
			this.role = event.member === this.me ? event.role : this.role;
		}
		else if (event.type === "room.changed") {
			const { name = this.name, topic = this.topic, slowMode = this.slowMode, memberPins = this.memberPins } = event;
			Object.assign(this, { name, topic, slowMode, memberPins });
		}
	}

	/**
	 * Counts who joined or left, once the count is known. The members may be only the first ones of a long list, so
	 * their number is not the count. Events of the history are older than the count.
	 */
	#noticeMember({ type, member }) {
		if (this.memberCount === undefined) {
			return;
		}
		const complete = this.members.size >= this.memberCount;
		if (type === "member.joined" && !this.members.has(member)) {
			this.members.set(member, { role: "member", online: false, read: 0, delivered: 0 });
			this.memberCount++;
		}
		else if (type === "member.left" && (this.members.delete(member) || !complete)) {
			this.memberCount--;
		}
	}

}

/** Returns what a member is: `online`, `away` or `offline`. */
export function presenceOf(member) {
	return member?.online ? (member.away ? "away" : "online") : "offline";
}

function isMessage({ type }) {
	return type === "message.posted" || type === "thread.posted";
}
