import { Connection } from "./connection.js";
import { Markers } from "./markers.js";
import { Outbox } from "./outbox.js";
import { RestApi } from "./rest-api.js";
import { RoomFeed } from "./room-feed.js";

export { ApiError } from "./rest-api.js";
export { SendError } from "./outbox.js";

const TYPING_INTERVAL_MS = 3_000;
const READ_DELAY_MS = 300;
const DELIVERED_DELAY_MS = 1_000;
const REFRESH_RETRY_MS = 5_000;
const MAX_TIMER_MS = 2_147_483_647;
/** Part of the lifetime of a token after which it is refreshed; a token that cannot be refreshed is used to the end. */
const REFRESH_AFTER = 0.8;

/**
 * A Parley client for browsers and Node 20 or newer. It manages the connection, the tokens, the order of events and
 * unacknowledged messages. The caller stores the events that it shows.
 *
 * ```js
 * const chat = new ChatClient({ baseUrl: "https://chat.example.org" });
 * await chat.login("alice", "secret");
 * chat.connect();
 * chat.follow(room, { onReset: ({ events }) => show(events), onEvent: (event) => append(event) });
 * const { position } = await chat.send(room, "Hello");   // durable now, also after reconnects
 * ```
 *
 * Listen with `on(name, listener)`:
 * - `state` `{name: "offline"|"connecting"|"online"|"waiting", code?, retryAt?}`, `retryAt` in milliseconds
 * - `signed-out`: the tokens were removed or refused, or the sign-in was ended elsewhere; sign in again
 * - `tokens`: the new tokens, to be passed as the `tokens` option of a later ChatClient, or null
 * - `error` `{code, message, clientId?, destination?}`: a frame was refused, and is not sent again
 * - user events by type: `accepted`, `room.added`, `room.removed`, `role.changed`, `unread.changed`, `thread.changed`,
 *   `draft.changed`, `scheduled.changed`
 */
export class ChatClient {

	#listeners = new Map();
	#feeds = new Map();
	#typedAt = new Map();
	#reads;
	#deliveries;
	#away = false;
	#refreshTimer;
	#rest;
	#connection;
	#outbox;
	#endExtension;
	#accepts;

	/**
	 * @param {object} [options]
	 * @param {string} [options.baseUrl] origin of the server; by default that of the page
	 * @param {object} [options.tokens] tokens of an earlier session, from the `tokens` event
	 * @param {function(string, string[]): WebSocket} [options.webSocketFactory] needed before Node 22
	 * @param {typeof fetch} [options.fetch]
	 * @param {{get(string), set(string, string)}} [options.devices] stores a device token per user, so that failed
	 * sign-ins of others do not block this device; by default kept until the page is left
	 * @param {string} [options.deviceName] how the list of sign-ins names this device
	 * @param {function(object): Promise<object>} [options.renew] gets new tokens for tokens of `loginWithTokens`:
	 * `{accessToken, refreshToken?, expiresIn}`; rejects with ApiError
	 * @param {object} [options.shared] the newest tokens of each sign-in, for clients that share one, such as the tabs
	 * of a browser: a refresh token is valid once. `newest(signIn)`, `keep(tokens)`, `forget(signIn)` and
	 * `exclusively(signIn, action)`, which runs one action at a time; by default this client is alone
	 * @param {"interval"|"worker"} [options.heartbeatStrategy] `worker` keeps heart-beats on time in hidden
	 * tabs; the page's Content-Security-Policy must allow `worker-src blob:`
	 * @param {function(string): boolean} [options.accepts] whether the connection may be used by that user, of CONNECTED
	 */
	constructor({ baseUrl = globalThis.location?.origin, tokens = null, webSocketFactory,
		fetch = globalThis.fetch.bind(globalThis), devices = new Map(), deviceName, shared, renew,
		heartbeatStrategy = "interval", accepts = () => true } = {}) {
		this.#accepts = accepts;
		this.#rest = new RestApi({ baseUrl, fetch, tokens, devices, deviceName, shared, renew,
			onTokens: (changed) => this.#tokensChanged(changed) });
		this.#connection = new Connection({
			url: `${baseUrl.replace(/^http/, "ws")}/ws`,
			webSocketFactory,
			heartbeatStrategy,
			token: (refused) => this.#rest.accessToken(refused),
			onState: (state) => this.#emit("state", state),
			onOnline: (username) => this.#resume(username),
			onSignedOut: () => this.#signedOut(),
			onStompError: (message) => this.#emit("error", { code: "stomp-error", message }),
		});
		this.#outbox = new Outbox(this.#connection);
		this.#reads = new Markers(this.#connection, "read", READ_DELAY_MS);
		this.#deliveries = new Markers(this.#connection, "delivered", DELIVERED_DELAY_MS);
	}

	/** Calls the listener for each event of that name; returns a function that removes it. */
	on(name, listener) {
		const listeners = this.#listeners.get(name) ?? new Set();
		this.#listeners.set(name, listeners.add(listener));
		return () => listeners.delete(listener);
	}

	// ---- account -------------------------------------------------------------------------------

	/** The signed-in user, or undefined. */
	get username() {
		return this.#rest.tokens?.username;
	}

	/** The external issuer of the tokens, as given to `loginWithTokens`; undefined if the server issued them. */
	get issuer() {
		return this.#rest.tokens?.issuer;
	}

	/** Returns who may sign in and how, `{localSignIn, registration, issuers}`, or null if the server does not say. */
	async authOptions() {
		try {
			return await this.#rest.open("GET", "/api/auth/options");
		}
		catch {
			return null;
		}
	}

	register(username, password) {
		return this.#rest.open("POST", "/api/auth/register", { username, password });
	}

	login(username, password) {
		return this.#rest.login(username, password);
	}

	/**
	 * Signs in with tokens of an external issuer, `{accessToken, refreshToken?, expiresIn, issuer}` with `expiresIn` in
	 * seconds and `issuer` an object for `renew`. The server says which user they belong to.
	 */
	loginWithTokens(answer) {
		return this.#rest.adopt(answer);
	}

	/** Changes the password; all other sign-ins of the user end. */
	changePassword(current, password) {
		return this.#rest.request("PUT", "/api/me/password", { current, password });
	}

	/** Returns the sign-ins of the user: `[{id, device, createdAt, usedAt, expiresAt, current}]`. */
	signIns() {
		return this.#rest.get("/api/me/sign-ins");
	}

	/** Returns whether the server shows when users were last seen, and whether the user hides it: `{lastSeen, hideLastSeen}`. */
	presence() {
		return this.#rest.get("/api/me/presence");
	}

	/** Hides when the user was last seen, and when others were, or shows both. */
	hideLastSeen(hide = true) {
		return this.#rest.request("PUT", "/api/me/presence", { hideLastSeen: hide });
	}

	endSignIn(id) {
		return this.#rest.request("DELETE", `/api/me/sign-ins/${encodeURIComponent(id)}`);
	}

	/** Ends all sign-ins of the user except this one. */
	endOtherSignIns() {
		return this.#rest.request("DELETE", "/api/me/sign-ins");
	}

	/**
	 * Ends the sign-in: closes the connection, rejects unsent messages and removes the tokens. Resolves when the
	 * server has answered or cannot be reached.
	 */
	async logout() {
		this.disconnect();
		this.#outbox.clear();
		this.#feeds.clear();
		this.#reads.clear();
		this.#deliveries.clear();
		await this.#rest.logout();
	}

	// ---- connection ----------------------------------------------------------------------------

	get state() {
		return this.#connection.state;
	}

	/** Connects, and reconnects after each connection loss until `disconnect()`. */
	connect() {
		this.#connection.open();
		this.#scheduleRefresh();
	}

	disconnect() {
		clearTimeout(this.#refreshTimer);
		this.#connection.close();
	}

	/** Reconnects without further wait; call it when the network is back or the page is visible again. */
	retryNow() {
		this.#connection.retryNow();
	}

	// ---- rooms ---------------------------------------------------------------------------------

	/**
	 * Returns the user's rooms: `[{id, name, topic?, kind, unread, head, read, lastEvent?, peer?, presence?, …}]`. With
	 * `presence`, direct rooms have `presence: {online, away?, lastSeen?}` of their peer.
	 */
	rooms({ presence = false } = {}) {
		return this.#rest.get("/api/rooms" + (presence ? "?presence=true" : ""));
	}

	/** Returns one room with its `members: [{username, role?, online, away?, lastSeen?, read, delivered, mutedUntil?}]`. */
	room(id) {
		return this.#rest.get(roomPath(id));
	}

	/** Changes what is given of a room, and returns the room: `name`, `topic`, `slowMode` (seconds), `memberPins`. */
	changeRoom(id, { name, topic, slowMode, memberPins }) {
		return this.#rest.request("PATCH", roomPath(id), { name, topic, slowMode, memberPins });
	}

	/**
	 * Returns a page of the reports of messages of a room, the newest first: `{reports, next}`. `next`, unless it is null, is
	 * the `before` of the next page.
	 */
	reports(id, { state, before, limit } = {}) {
		const given = Object.entries({ state, before, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`${roomPath(id)}/reports?${new URLSearchParams(given)}`);
	}

	/** Closes a report; `state` is `resolved` or `dismissed`. Rejects with ApiError, such as `report-closed`. */
	closeReport(id, report, { state, note }) {
		return this.#rest.request("PATCH", `${roomPath(id)}/reports/${report}`, { state, note });
	}

	/** Creates a room; `kind` is `direct`, `group` or `channel`. A channel is open unless it is `private`. */
	createRoom({ name, kind, members, capacity, private: invited }) {
		return this.#rest.request("POST", "/api/rooms", { name, kind, members, capacity, private: invited });
	}

	join(id) {
		return this.invite(id, this.username);
	}

	invite(id, username) {
		return this.#rest.request("POST", `${roomPath(id)}/members`, { username });
	}

	/** Joins by the token of an invite link and returns the room. */
	redeem(token) {
		return this.#rest.request("POST", `/api/invites/${encodeURIComponent(token)}`);
	}

	/** Makes an invite link: `{id, token, expires, …}`. */
	createInvite(id, { expires, uses } = {}) {
		return this.#rest.request("POST", `${roomPath(id)}/invites`, { expires, uses });
	}

	/** Returns the invite links that have not expired: `[{id, expires, uses?, used, by}]`. */
	invites(id) {
		return this.#rest.get(`${roomPath(id)}/invites`);
	}

	revokeInvite(id, invite) {
		return this.#rest.request("DELETE", `${roomPath(id)}/invites/${encodeURIComponent(invite)}`);
	}

	/** Returns the banned users: `[{username, by, since}]`. */
	bans(id) {
		return this.#rest.get(`${roomPath(id)}/bans`);
	}

	liftBan(id, username) {
		return this.#rest.request("DELETE", `${roomPath(id)}/bans/${encodeURIComponent(username)}`);
	}

	/** Gives a member another role: `owner`, `moderator`, `member` or `reader`. */
	changeRole(id, username, role) {
		return this.#rest.request("PUT", `${roomPath(id)}/members/${encodeURIComponent(username)}`, { role });
	}

	/** Mutes a member until that time, a `Date`; without a time it ends the mute. */
	mute(id, username, until) {
		const path = `${roomPath(id)}/mutes/${encodeURIComponent(username)}`;
		return until ? this.#rest.request("PUT", path, { until: until.toISOString() }) : this.#rest.request("DELETE", path);
	}

	/** Blocks a user, or unblocks them. */
	block(username, blocked = true) {
		return this.#rest.request(blocked ? "PUT" : "DELETE", `/api/blocks/${encodeURIComponent(username)}`);
	}

	/** Returns the users whom this user has blocked: `[{username, since}]`. */
	blocks() {
		return this.#rest.get("/api/blocks");
	}

	leave(id) {
		return this.remove(id, this.username);
	}

	/** Removes another member, who is banned then, or leaves. */
	remove(id, username) {
		return this.#rest.request("DELETE", `${roomPath(id)}/members/${encodeURIComponent(username)}`);
	}

	/** Returns a page of a room's events in ascending order: `{events, head}`; the newest page by default. */
	history(id, { before, after, limit } = {}) {
		const given = Object.entries({ before, after, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`${roomPath(id)}/messages?${new URLSearchParams(given)}`);
	}

	/**
	 * Returns messages of a room in their current state, in ascending order, with their `reactions`:
	 * `{messages, asOf}`. With `changedAfter` those that were changed after that position.
	 */
	messages(id, { before, after, changedAfter, limit } = {}) {
		const given = Object.entries({ before, after, changedAfter, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`${roomPath(id)}/messages?view=messages&${new URLSearchParams(given)}`);
	}

	/** Returns who has read the message at that position, the first 200 by name, and how many: `{readers, count}`. */
	readers(id, position) {
		return this.#rest.get(`${roomPath(id)}/messages/${position}/readers`);
	}

	/** Returns the pinned messages of a room in their current state, those that were pinned last first: `{messages, asOf}`. */
	pins(id) {
		return this.#rest.get(`${roomPath(id)}/pins`);
	}

	/** Returns a page of the replies in a thread, ascending: `{messages, root, following, unread, read, asOf}`. */
	thread(id, root, { before, after, limit } = {}) {
		const given = Object.entries({ before, after, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`${threadPath(id, root)}/messages?${new URLSearchParams(given)}`);
	}

	/** Returns the threads that the user follows: `{threads: [{room, root, replies, lastPosition, users, unread, read}]}`. */
	threads() {
		return this.#rest.get("/api/me/threads");
	}

	/**
	 * Returns a page of the messages that mention the user, in all rooms, the newest mention first: `{mentions, next}`.
	 * `next`, unless it is null, is the `before` of the next page.
	 */
	mentions({ before, limit } = {}) {
		const given = Object.entries({ before, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`/api/me/mentions?${new URLSearchParams(given)}`);
	}

	/** Returns what the user has written and not sent: `{drafts: [{room, thread, version, changedAt, draft}]}`. */
	drafts() {
		return this.#rest.get("/api/me/drafts");
	}

	/**
	 * Saves what the user has written for a room, or with a root for a thread: `{text, replyTo, mentions, clientId}`.
	 * The event `draft.changed` has the same `clientId`.
	 */
	saveDraft(id, root, draft) {
		return this.#rest.request("PUT", draftPath(id, root), draft);
	}

	deleteDraft(id, root) {
		return this.#rest.request("DELETE", draftPath(id, root));
	}

	/**
	 * Schedules a message `{clientId, text, sendAt, thread, replyTo, mentions}`. With the same `clientId` it is scheduled
	 * once, however often that is tried.
	 */
	schedule(id, message) {
		return this.#rest.request("POST", `${roomPath(id)}/scheduled`, message);
	}

	/** Returns the messages that are sent later or could not be sent: `{scheduled: [{id, room, sendAt, state, message}]}`. */
	scheduled() {
		return this.#rest.get("/api/me/scheduled");
	}

	/** Changes a message that is sent later; fields that are null are removed. */
	changeScheduled(scheduled, changes) {
		return this.#rest.request("PATCH", `/api/me/scheduled/${scheduled}`, changes);
	}

	cancelScheduled(scheduled) {
		return this.#rest.request("DELETE", `/api/me/scheduled/${scheduled}`);
	}

	/** Follows a thread, or does not any more. */
	followThread(id, root, following = true) {
		return this.#rest.request(following ? "PUT" : "DELETE", `${threadPath(id, root)}/follow`);
	}

	/** Moves the user's read marker of a thread forward. */
	readThread(id, root, position) {
		return this.#rest.request("PUT", `${threadPath(id, root)}/read`, { position });
	}

	/** Returns the demo users `{users, password}`, or null if the server is not a demo. */
	async demo() {
		try {
			return await this.#rest.open("GET", "/api/demo");
		}
		catch {
			return null;
		}
	}

	/**
	 * Follows a room until `unfollow`, across reconnects: each event once, in order, without gaps.
	 * With `after` it continues after that position; otherwise it begins with `onReset` and the newest page.
	 * @param {string} id
	 * @param {object} handlers
	 * @param {function(object): void} handlers.onEvent one room event
	 * @param {function(number): void} [handlers.onGapFilled] number of events fetched from the history
	 * @param {function({events: object[], head: number}): void} [handlers.onReset] replaces all events shown
	 * @param {function(object): void} [handlers.onSignal] typing, read, delivered or presence
	 * @param {function({code: string, message: string}): void} [handlers.onRefused] the server refuses it permanently;
	 * the room is not followed until the next connection or call
	 * @param {{after?: number, catchUp?: number}} [options] after more than `catchUp` missed events, by default 500, the room
	 * begins anew with `onReset`
	 */
	follow(id, handlers, { after, catchUp } = {}) {
		this.unfollow(id);
		const onEvent = (event) => {
			this.#recogniseOwn(event);
			handlers.onEvent(event);
		};
		const onReset = (page) => {
			page.events.forEach((event) => this.#recogniseOwn(event));
			handlers.onReset?.(page);
		};
		const history = (page) => this.history(id, page);
		const feed = new RoomFeed({ room: id, after, history, catchUp, handlers: { ...handlers, onEvent, onReset } });
		this.#feeds.set(id, feed);
		if (this.#connection.online) {
			feed.start(this.#connection);
		}
	}

	unfollow(id) {
		this.#feeds.get(id)?.stop();
		this.#feeds.delete(id);
	}

	// ---- sending -------------------------------------------------------------------------------

	/**
	 * Sends a message and resolves with `{clientId, position, id}` once it is durable. Without a connection the
	 * message stays queued; after a connection loss it is sent again with the same `clientId`. Rejects with SendError
	 * if the server refuses it permanently. Pass the `clientId` of an earlier session to resend its message. `replyTo` is
	 * the position of the message that it answers; with `thread`, a root, it is a reply in that thread. `mentions` says whom it
	 * mentions: `{users, groups, room}`. Other options are fields of the message.
	 */
	send(id, text, { clientId = newId(), ...fields } = {}) {
		return this.#outbox.send(id, text, clientId, fields);
	}

	/**
	 * Replaces the text of the message at that position, and whom it mentions; without `mentions` that does not change.
	 * Resolves once the change is durable. Rejects with ApiError, such as `too-late` or `message-deleted`.
	 */
	edit(id, position, text, { clientId = newId(), mentions } = {}) {
		return this.#rest.request("PATCH", `${roomPath(id)}/messages/${position}`, { clientId, text, mentions });
	}

	/** Deletes the message at that position for everybody; moderators may give a reason. Rejects with ApiError. */
	deleteMessage(id, position, { reason } = {}) {
		return this.#rest.request("DELETE", `${roomPath(id)}/messages/${position}`, { reason });
	}

	/**
	 * Reports the message at that position to the moderators of the room and to operators. Rejects with ApiError, such as
	 * `message-deleted`.
	 */
	report(id, position, reason) {
		return this.#rest.request("POST", `${roomPath(id)}/messages/${position}/report`, { reason });
	}

	/**
	 * Gives a reaction to the message at that position, an emoji or a name such as `:party:`, or takes it back. Resolves
	 * once it is durable, after up to about a second. Rejects with ApiError, such as `too-many-reactions`.
	 */
	react(id, position, key, on = true) {
		return this.#rest.request(on ? "PUT" : "DELETE", `${roomPath(id)}/messages/${position}/reactions/${encodeURIComponent(key)}`);
	}

	/**
	 * Pins the message at that position in its room, or ends its pin. Resolves once it is durable. Rejects with ApiError,
	 * such as `too-many-pins`.
	 */
	pin(id, position, on = true) {
		return this.#rest.request(on ? "PUT" : "DELETE", `${roomPath(id)}/messages/${position}/pin`);
	}

	/** Sends a message no more; its promise rejects with that error. If it is in flight, it may be accepted nevertheless. */
	cancel(clientId, error) {
		this.#outbox.cancel(clientId, error);
	}

	/** Rejects all unacknowledged messages with a SendError. */
	dropUnsent(code, message) {
		this.#outbox.clear(code, message);
	}

	/** Returns the unacknowledged messages: `[{room, text, clientId, replyTo?, thread?}]`. */
	pending() {
		return this.#outbox.pending();
	}

	/** Signals typing; call it on each key press. Sends at most one signal every 3 seconds. */
	typing(id) {
		const now = Date.now();
		if (now - (this.#typedAt.get(id) ?? 0) >= TYPING_INTERVAL_MS) {
			this.#typedAt.set(id, now);
			this.#connection.send(`/app/rooms.${id}.typing`, {});
		}
	}

	/** Moves the user's read marker forward; calls in quick succession are sent as one frame. */
	read(id, position) {
		this.#reads.move(id, position);
		this.#deliveries.skip(id, position);
	}

	/** Reports that messages up to that position have arrived, unless the user has read them: at most once a second and room. */
	delivered(id, position) {
		if (position > this.#reads.position(id)) {
			this.#deliveries.move(id, position);
		}
	}

	/** Says whether the user is away from this client. Users are away while all their clients say so. */
	away(away) {
		if (away !== this.#away) {
			this.#away = away;
			this.#connection.send("/app/presence", { away });
		}
	}

	/** Moves the read marker over REST, for programs that do not connect. */
	readByRest(id, position) {
		return this.#rest.request("PUT", `${roomPath(id)}/read`, { position });
	}

	/** Sends a request to a path of the server as this user. Rejects with ApiError. */
	request(method, path, body, options) {
		return this.#rest.request(method, path, body, options);
	}

	// ---- internal ------------------------------------------------------------------------------

	/** Called on each new connection. Subscribes before it sends, so that no acknowledgement is missed. */
	#resume(username) {
		if (!this.#accepts(username)) {
			this.disconnect();
			return;
		}
		this.#rest.named(username);
		this.#scheduleRefresh();
		this.#connection.subscribe("/user/queue/events", (event) => this.#userEvent(event));
		this.#feeds.forEach((feed) => feed.start(this.#connection));
		this.#outbox.resume();
		this.#reads.resume();
		this.#deliveries.resume();
		if (this.#away) {
			this.#connection.send("/app/presence", { away: true });
		}
	}

	#userEvent(event) {
		if (event.type === "accepted") {
			this.#outbox.accept(event.clientId, event);
		}
		else if (event.type === "error") {
			this.#refused(event);
			return;
		}
		this.#emit(event.type, event);
	}

	#refused(error) {
		const [, sent] = /^send-(.*)/.exec(error.receipt) ?? [];
		const event = { ...error, clientId: error.clientId ?? sent };
		if (!this.#connection.refuse(event) && !this.#outbox.refuse(event)) {
			this.#emit("error", event);
		}
	}

	#recogniseOwn(event) {
		if (event.clientId && event.sender === this.username) {
			this.#outbox.accept(event.clientId, event);
		}
	}

	#tokensChanged(tokens) {
		this.#emit("tokens", tokens);
		if (tokens) {
			this.#endExtension?.();
			this.#endExtension = this.#connection.request("/app/token", { accessToken: tokens.accessToken });
			this.#scheduleRefresh();
		}
		else {
			this.disconnect();
			this.#emit("signed-out");
		}
	}

	/** The server has ended the sign-in. */
	#signedOut() {
		if (this.#rest.tokens) {
			this.#rest.forget();
		}
	}

	/** Refreshes the tokens before they expire while connected, so that the session is not interrupted. */
	#scheduleRefresh(delay = this.#untilRefresh()) {
		clearTimeout(this.#refreshTimer);
		if (this.#rest.tokens && this.#connection.state.name !== "offline") {
			const refresh = () => this.#rest.refresh().catch(() => this.#scheduleRefresh(REFRESH_RETRY_MS));
			this.#refreshTimer = setTimeout(refresh, Math.min(Math.max(delay, 1_000), MAX_TIMER_MS));
		}
	}

	#untilRefresh() {
		const { expiresAt, refreshToken } = this.#rest.tokens ?? {};
		return (expiresAt - Date.now()) * (refreshToken ? REFRESH_AFTER : 1);
	}

	#emit(name, detail) {
		this.#listeners.get(name)?.forEach((listener) => listener(detail));
	}

}

/** Browsers provide randomUUID on secure origins only, not for a server in the local network. */
export function newId() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return crypto.randomUUID?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function roomPath(id) {
	return `/api/rooms/${encodeURIComponent(id)}`;
}

function threadPath(id, root) {
	return `${roomPath(id)}/threads/${root}`;
}

function draftPath(id, root) {
	return `${root ? threadPath(id, root) : roomPath(id)}/draft`;
}
