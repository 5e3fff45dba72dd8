import { Connection } from "./connection.js";
import { Outbox } from "./outbox.js";
import { RestApi } from "./rest-api.js";
import { RoomFeed } from "./room-feed.js";

export { ApiError } from "./rest-api.js";
export { SendError } from "./outbox.js";

const TYPING_INTERVAL_MS = 3_000;
const READ_DELAY_MS = 300;
const REFRESH_RETRY_MS = 5_000;
const MAX_TIMER_MS = 2_147_483_647;

/**
 * A chat user's side of Parley, for browsers and Node 20 or newer. It keeps the connection, the tokens,
 * the order of events and the unacknowledged messages; the caller keeps what it shows.
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
 * - `state` `{name: "offline"|"connecting"|"online"|"waiting", retryAt?}`, `retryAt` in milliseconds
 * - `signed-out`: the tokens are gone or refused; sign in again
 * - `tokens` with what the `tokens` option of a later ChatClient takes, or null
 * - user events by type: `accepted`, `error`, `room.added`, `room.removed`, `unread.changed`
 */
export class ChatClient {

	#listeners = new Map();
	#feeds = new Map();
	#typedAt = new Map();
	#reads = new Map();
	#readTimer;
	#refreshTimer;
	#rest;
	#connection;
	#outbox;

	/**
	 * @param {object} [options]
	 * @param {string} [options.baseUrl] origin of the server; the page's own by default
	 * @param {object} [options.tokens] tokens of an earlier session, from the `tokens` event
	 * @param {function(string, string[]): WebSocket} [options.webSocketFactory] needed before Node 22
	 * @param {typeof fetch} [options.fetch]
	 * @param {{get(string), set(string, string)}} [options.devices] keeps, by user, what lets this device be
	 * known again when others fail to sign in; by default until the page is left
	 * @param {"interval"|"worker"} [options.heartbeatStrategy] `worker` keeps heart-beats exact in hidden
	 * tabs; the page's Content-Security-Policy must allow `worker-src blob:`
	 */
	constructor({ baseUrl = globalThis.location?.origin, tokens = null, webSocketFactory,
		fetch = globalThis.fetch.bind(globalThis), devices = new Map(), heartbeatStrategy = "interval" } = {}) {
		this.#rest = new RestApi({ baseUrl, fetch, tokens, devices,
			onTokens: (changed) => this.#tokensChanged(changed) });
		this.#connection = new Connection({
			url: `${baseUrl.replace(/^http/, "ws")}/ws`,
			webSocketFactory,
			heartbeatStrategy,
			token: (refused) => this.#rest.accessToken(refused),
			onState: (state) => this.#emit("state", state),
			onOnline: () => this.#resume(),
			onStompError: (message) => this.#emit("error", { code: "stomp-error", message }),
		});
		this.#outbox = new Outbox(this.#connection);
	}

	/** Calls the listener at each event of that name; returns a function that ends it. */
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

	register(username, password) {
		return this.#rest.open("POST", "/api/auth/register", { username, password });
	}

	login(username, password) {
		return this.#rest.login(username, password);
	}

	/** Closes the connection, gives up unsent messages and forgets the tokens. */
	logout() {
		this.disconnect();
		this.#outbox.clear();
		this.#feeds.clear();
		this.#rest.forget();
	}

	// ---- connection ----------------------------------------------------------------------------

	get state() {
		return this.#connection.state;
	}

	/** Connects, and comes back after each loss until `disconnect()`. */
	connect() {
		this.#connection.open();
		this.#scheduleRefresh();
	}

	disconnect() {
		clearTimeout(this.#refreshTimer);
		this.#connection.close();
	}

	/** Ends the wait before the next attempt; call it when the network is back or the page is visible again. */
	retryNow() {
		this.#connection.retryNow();
	}

	// ---- rooms ---------------------------------------------------------------------------------

	/** My rooms: `[{id, name, kind, unread, head, read, lastEvent?, peer?, …}]`. */
	rooms() {
		return this.#rest.get("/api/rooms");
	}

	/** One room with its `members: [{username, online, read}]`. */
	room(id) {
		return this.#rest.get(roomPath(id));
	}

	/** `kind`: direct, group or channel. */
	createRoom({ name, kind, members, capacity }) {
		return this.#rest.request("POST", "/api/rooms", { name, kind, members, capacity });
	}

	join(id) {
		return this.invite(id, this.username);
	}

	invite(id, username) {
		return this.#rest.request("POST", `${roomPath(id)}/members`, { username });
	}

	leave(id) {
		return this.remove(id, this.username);
	}

	remove(id, username) {
		return this.#rest.request("DELETE", `${roomPath(id)}/members/${encodeURIComponent(username)}`);
	}

	/** A page of a room's events, ascending: `{events, head}`. Without `before` and `after` the newest. */
	history(id, { before, after, limit } = {}) {
		const given = Object.entries({ before, after, limit }).filter(([, value]) => value !== undefined);
		return this.#rest.get(`${roomPath(id)}/messages?${new URLSearchParams(given)}`);
	}

	/** The demo users `{users, password}`, or null when this is no demo. */
	async demo() {
		try {
			return await this.#rest.open("GET", "/api/demo");
		}
		catch {
			return null;
		}
	}

	/**
	 * Follows a room until `unfollow`, over reconnects: each event once, in order, without a hole.
	 * With `after` it continues behind that position; without, it begins with `onReset` and the newest page.
	 * @param {string} id
	 * @param {object} handlers
	 * @param {function(object): void} handlers.onEvent one room event
	 * @param {function(number): void} [handlers.onGapFilled] so many events came from the history
	 * @param {function({events: object[], head: number}): void} [handlers.onReset] replace what you show
	 * @param {function(object): void} [handlers.onSignal] typing, read or presence
	 * @param {{after?: number}} [options]
	 */
	follow(id, handlers, { after } = {}) {
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
		const feed = new RoomFeed({ room: id, after, history, handlers: { ...handlers, onEvent, onReset } });
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
	 * Sends a message and resolves with `{clientId, position, id}` once it is durable. Without a connection,
	 * and after a loss, it stays queued and is sent again under the same `clientId`. Rejects with SendError
	 * when the server refuses it for good. Pass a `clientId` to continue a message of an earlier session.
	 */
	send(id, text, { clientId = newId() } = {}) {
		return this.#outbox.send(id, text, clientId);
	}

	/** Messages without an acknowledgement: `[{room, text, clientId}]`. */
	pending() {
		return this.#outbox.pending();
	}

	/** Call it at each key press: at most one signal in 3 s goes out. */
	typing(id) {
		const now = Date.now();
		if (now - (this.#typedAt.get(id) ?? 0) >= TYPING_INTERVAL_MS) {
			this.#typedAt.set(id, now);
			this.#connection.send(`/app/rooms.${id}.typing`, {});
		}
	}

	/** Moves my read marker forward; several calls in a short time make one frame. */
	read(id, position) {
		const known = this.#reads.get(id);
		if (position > (known?.position ?? 0)) {
			this.#reads.set(id, { position, sent: false });
			this.#readTimer ??= setTimeout(() => this.#flushReads(), READ_DELAY_MS);
		}
	}

	/** The same by REST, for a program that does not connect. */
	readByRest(id, position) {
		return this.#rest.request("PUT", `${roomPath(id)}/read`, { position });
	}

	// ---- inside --------------------------------------------------------------------------------

	/** A fresh connection: subscribe first, then send, so that no acknowledgement is missed. */
	#resume() {
		this.#connection.subscribe("/user/queue/events", (event) => this.#userEvent(event));
		this.#feeds.forEach((feed) => feed.start(this.#connection));
		this.#outbox.resume();
		this.#flushReads();
	}

	#userEvent(event) {
		if (event.type === "accepted") {
			this.#outbox.accept(event.clientId, event);
		}
		else if (event.type === "error") {
			const clientId = event.clientId ?? event.receipt?.replace(/^send-/, "");
			this.#outbox.refuse({ ...event, clientId });
		}
		this.#emit(event.type, event);
	}

	#recogniseOwn(event) {
		if (event.clientId && event.sender === this.username) {
			this.#outbox.accept(event.clientId, event);
		}
	}

	#flushReads() {
		clearTimeout(this.#readTimer);
		this.#readTimer = undefined;
		for (const [id, read] of this.#reads) {
			read.sent ||= this.#connection.send(`/app/rooms.${id}.read`, { position: read.position });
		}
	}

	#tokensChanged(tokens) {
		this.#emit("tokens", tokens);
		if (tokens) {
			this.#connection.send("/app/token", { accessToken: tokens.accessToken });
			this.#scheduleRefresh();
		}
		else {
			this.disconnect();
			this.#emit("signed-out");
		}
	}

	/** New tokens after four fifths of the lifetime, while connected: the session goes on without a break. */
	#scheduleRefresh(delay = (this.#rest.tokens?.expiresAt - Date.now()) * 0.8) {
		clearTimeout(this.#refreshTimer);
		if (this.username && this.#connection.state.name !== "offline") {
			const refresh = () => this.#rest.refresh().catch(() => this.#scheduleRefresh(REFRESH_RETRY_MS));
			this.#refreshTimer = setTimeout(refresh, Math.min(Math.max(delay, 1_000), MAX_TIMER_MS));
		}
	}

	#emit(name, detail) {
		this.#listeners.get(name)?.forEach((listener) => listener(detail));
	}

}

/** Browsers offer randomUUID on secure origins only; a laptop in the local network is none. */
function newId() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return crypto.randomUUID?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function roomPath(id) {
	return `/api/rooms/${encodeURIComponent(id)}`;
}
