/**
 * A client of a Parley chat server.
 *
 * ```ts
 * const client = connect({ url: "https://chat.example.org", getToken: () => fetchTokenFromMyServer() });
 * const room = client.room("i3l4NkYsRLTCHWPx");
 * room.on("message.posted", ({ sender, text }) => console.log(sender, text));
 * const { position } = await room.send("Hello");   // durable now, also after reconnects
 * ```
 */
export declare function connect(options: ConnectOptions): Client;

export interface ConnectOptions {
	/** Origin of the server, `https://…`. */
	url: string;
	getToken: GetToken;
	/** Keeps positions and unsent messages; by default until the program ends. It belongs to one user. */
	storage?: Storage;
	/** Closes the client. */
	signal?: AbortSignal;
	/** Makes the WebSocket; needed in Node before 22, with the package `ws`. */
	webSocketFactory?: (url: string, protocols: string[]) => unknown;
	fetch?: typeof fetch;
	/** `worker` keeps heart-beats on time in hidden tabs; the Content-Security-Policy must allow `worker-src blob:`. */
	heartbeatStrategy?: "interval" | "worker";
}

/**
 * Returns an access token: a JWT, or the token and for how many seconds it is valid. It is called before each connection
 * if the last token is about to expire, and while connected, to keep the session. `refused` is a token that the server has
 * refused; return another one. Without a token the client ends with the code `signed-out`; after an error it asks again.
 */
export type GetToken = (request: { refused?: string }) => Token | null | undefined | Promise<Token | null | undefined>;

export type Token = string | { accessToken: string; expiresIn?: number };

/** Values are what structured clone can copy. Calls may fail: the client goes on and emits `error` with `storage-failed`. */
export interface Storage {
	get(key: string): unknown;
	set(key: string, value: unknown): void | Promise<void>;
	remove(key: string): void | Promise<void>;
	/** Returns what has a key with that prefix, in the order of the keys. */
	list(prefix: string): [key: string, value: unknown][] | Promise<[key: string, value: unknown][]>;
}

/** A storage that ends with the program. */
export declare function memoryStorage(): Storage;

/** A storage in a database of the browser. Use one name for each user. */
export declare function indexedDbStorage(name: string): Storage;

/** Signs in with the password of an account of the server, for `getToken` of `connect`. Rejects with ApiError. */
export declare function signIn(options: SignInOptions): Promise<Account>;

export interface SignInOptions {
	url: string;
	username: string;
	password: string;
	/** How the user's list of sign-ins names this device. */
	deviceName?: string;
	/** `device` of an earlier Account: failed sign-ins of others do not block this device. */
	device?: string;
	fetch?: typeof fetch;
}

export interface Account {
	readonly username: string;
	readonly device: string;
	getToken(request?: { refused?: string }): Promise<{ accessToken: string; expiresIn: number }>;
	/** Ends the sign-in on the server. */
	signOut(): Promise<void>;
}

/**
 * - `connecting`: the first attempt, or a later one, is under way
 * - `online`
 * - `offline`: the next attempt begins at `retryAt` (milliseconds). `code` says why the last one ended: an error code of the
 *   protocol, or `connection-lost`, `server-stopping`, `no-heart-beat`, `fell-behind`, `broker-away`, `unreachable`,
 *   `token-unavailable`
 * - `closed`: final. `code` is `closed`, `signed-out`, or `other-user` if the storage belongs to somebody else
 */
export interface State {
	readonly name: "connecting" | "online" | "offline" | "closed";
	readonly code?: string;
	readonly message?: string;
	readonly retryAt?: number;
}

/** A function that removes the listener. */
export type Off = () => void;

export interface Client {
	readonly state: State;
	/** Known once the client was online. */
	readonly username: string | undefined;
	/** Returns the handle of a room, the same one until it is closed; `options` count for the first call. */
	room(id: string, options?: RoomOptions): Room;
	/** Returns the rooms of the user with their unread counts. Rejects with ApiError. */
	rooms(options?: Abortable): Promise<RoomSummary[]>;
	/** Calls any path of the HTTP interface as this user. Rejects with ApiError. */
	request<T = any>(method: string, path: string, body?: unknown, options?: Abortable): Promise<T>;
	/** Returns the messages that were not accepted yet, oldest first, including those of earlier programs. */
	pending(): Pending[];
	/** Connects without further wait; call it when the network is back. */
	retryNow(): void;
	/** Ends the client. Unaccepted messages stay in the storage; their promises reject with `closed`. */
	close(): void;
	on<T extends keyof ClientEvents>(type: T, listener: (event: ClientEvents[T]) => void, options?: Abortable): Off;
}

export interface ClientEvents {
	state: State;
	/** A frame was refused and is not sent again, also the message of an earlier program, or the storage failed. */
	error: { code: string; message: string; clientId?: string; destination?: string; retryAfter?: number };
	accepted: { clientId: string; room: string; position: number; id?: string };
	"room.added": { room: string; name: string; kind: string; by?: string };
	"room.removed": { room: string; by?: string };
	"role.changed": { room: string; role: string; mutedUntil?: string; by?: string };
	"unread.changed": { room: string; unread: number; mentions: number; head: number; read: number };
	"thread.changed": { room: string; thread: number; following: boolean; unread: number; head: number; read: number };
	"draft.changed": { room: string; thread?: number; version: number; changedAt: string; clientId?: string; draft?: object };
	"scheduled.changed": { change: string; scheduled: object };
}

export interface Abortable {
	signal?: AbortSignal;
}

export interface RoomOptions {
	/** Begins after this position; by default after the saved one. `newest`, or no saved one: with a `reset` and the newest page. */
	after?: number | "newest";
	/** After more missed events than this, by default 500, the room begins anew with a `reset`. Infinity: never. */
	catchUp?: number;
}

/**
 * A room. It is followed while there is a listener or a loop: each event once, in order, without gaps, over reconnects.
 * An event is handled when the listeners have returned, and for a loop when it asks for the next one; then its position is
 * saved. After a crash, the events that were not handled come again.
 */
export interface Room extends AsyncIterable<RoomEvent> {
	readonly id: string;
	/** The last position that has arrived. */
	readonly position: number | undefined;
	readonly username: string | undefined;
	on<T extends keyof RoomEvents>(type: T, listener: (event: RoomEvents[T]) => void, options?: Abortable): Off;
	/** Returns the events as a loop. It ends with the room, and fails with the `code` if the room is refused. */
	events(options?: Abortable): AsyncIterableIterator<RoomEvent>;
	/** Returns a page of events, ascending: by default the newest. Rejects with ApiError. */
	history(page?: Page): Promise<{ events: RoomEvent[]; head: number }>;
	/** Returns a page of messages in their current state. With `changedAfter` those that changed after that position. */
	messages(page?: Page & { changedAfter?: number }): Promise<{ messages: MessageView[]; asOf: number }>;
	/** Returns a page of the replies in the thread of a message. */
	thread(root: number, page?: Page): Promise<ThreadPage>;
	/**
	 * Sends a message, after those of earlier calls, and again until the server has accepted or refused it. `position` is missing
	 * if the server has confirmed the message and the connection was lost before it said the position. Rejects with SendError.
	 * The signal ends the attempts: a message that is under way then may be accepted nevertheless.
	 */
	send(text: string, options?: SendOptions): Promise<{ clientId: string; position?: number; id?: string }>;
	/** Sends a reply in the thread of a message. */
	reply(root: number, text: string, options?: SendOptions): Promise<{ clientId: string; position?: number; id?: string }>;
	/** Replaces the text of an own message. Resolves when that is durable. Rejects with ApiError. */
	edit(position: number, text: string, options?: Abortable & { clientId?: string; mentions?: Mentions }): Promise<{ position: number }>;
	/** Deletes a message for everybody; moderators may give a reason. */
	delete(position: number, options?: Abortable & { reason?: string }): Promise<{ position: number }>;
	/** Gives a reaction, an emoji or a name such as `:party:`, or takes it back. */
	react(position: number, key: string, on?: boolean, options?: Abortable): Promise<{ position: number }>;
	pin(position: number, on?: boolean, options?: Abortable): Promise<{ position: number }>;
	/** Moves the read marker forward; calls in quick succession are sent as one, and again until confirmed. */
	read(position: number): void;
	/** Reports that messages up to that position have arrived. */
	delivered(position: number): void;
	/** Signals typing, at most every 3 seconds. */
	typing(): void;
	readThread(root: number, position: number, options?: Abortable): Promise<void>;
	followThread(root: number, on?: boolean, options?: Abortable): Promise<void>;
	/** Ends the loops and stops following. */
	close(): void;
}

export interface SendOptions extends Abortable {
	/** Names the message for ever; the same one is stored once. By default a new one. */
	clientId?: string;
	/** The position of the message that it answers. */
	replyTo?: number;
	/** The position of the message in whose thread it is. */
	thread?: number;
	mentions?: Mentions;
	/** Fields of the application. */
	[field: string]: unknown;
}

export interface Mentions {
	users?: string[];
	groups?: string[];
	room?: boolean;
}

export interface Page extends Abortable {
	before?: number;
	after?: number;
	limit?: number;
}

export interface Pending {
	room: string;
	text: string;
	clientId: string;
	replyTo?: number;
	thread?: number;
	[field: string]: unknown;
}

export interface RoomSummary {
	id: string;
	name: string;
	kind: "direct" | "group" | "channel";
	unread: number;
	mentions?: number;
	head?: number;
	read?: number;
	[field: string]: unknown;
}

interface EventFields {
	room: string;
	position: number;
	prev: number;
	id: string;
	/** The acting user. */
	sender: string;
	sentAt: string;
	/** A change that a later one, or a deletion, has overtaken: it has no content and needs no action. */
	superseded?: boolean;
}

export interface Posted extends EventFields {
	type: "message.posted";
	clientId: string;
	text: string;
	deleted?: boolean;
	replyTo?: number;
	mentions?: Mentions;
	/** Fields of the sender's application. */
	[field: string]: unknown;
}

export interface Replied extends Omit<Posted, "type"> {
	type: "thread.posted";
	thread: number;
	room: string;
	position: number;
	clientId: string;
	sender: string;
	text: string;
}

export interface Edited extends EventFields {
	type: "message.edited";
	target: number;
	text?: string;
	mentions?: Mentions;
	clientId?: string;
}

export interface Deleted extends EventFields {
	type: "message.deleted";
	target: number;
	as?: "author" | "moderator";
	reason?: string;
	clientId?: string;
}

export interface ReactionChanged extends EventFields {
	type: "reaction.changed";
	target: number;
	counts?: Record<string, number>;
	by?: { user: string; key: string; on: boolean }[];
	more?: number;
}

export interface PinChanged extends EventFields {
	type: "pin.changed";
	target: number;
	on?: boolean;
	clientId?: string;
}

/** Events of the room itself. A newer server sends more types than are listed here: end a `switch` with a `default` that ignores them. */
export interface OtherEvent extends EventFields {
	type: "room.created" | "room.changed" | "member.joined" | "member.left" | "member.role";
	[field: string]: unknown;
}

/** Replace everything shown by these events: nothing was saved, too much was missed, or the server has another log. */
export interface Reset {
	type: "reset";
	room: string;
	position: number;
	events: RoomEvent[];
	head: number;
}

export type RoomEvent = Posted | Replied | Edited | Deleted | ReactionChanged | PinChanged | Reset | OtherEvent;

export interface Signal {
	type: string;
	room: string;
	user?: string;
	position?: number;
	positions?: Record<string, number>;
	state?: "online" | "offline";
	away?: boolean;
	seconds?: number;
	by?: string;
	memberCount?: number;
}

export interface RoomEvents {
	/** Every event that has a position, and `reset`. */
	event: RoomEvent;
	reset: Reset;
	"message.posted": Posted;
	"thread.posted": Replied;
	"message.edited": Edited;
	"message.deleted": Deleted;
	"reaction.changed": ReactionChanged;
	"pin.changed": PinChanged;
	"room.created": OtherEvent;
	"room.changed": OtherEvent;
	"member.joined": OtherEvent;
	"member.left": OtherEvent;
	"member.role": OtherEvent;
	/** So many events were fetched over HTTP, and delivered. */
	"gap-filled": { type: "gap-filled"; room: string; count: number };
	/** The server refuses the room permanently, such as `not-a-member`. It is tried again after the next reconnect. */
	refused: { type: "refused"; room: string; code: string; message: string };
	/** Every signal. */
	signal: Signal;
	typing: Signal;
	read: Signal;
	delivered: Signal;
	presence: Signal;
	"slow-mode": Signal;
	"member-count": Signal;
}

/** A message as it reads now. */
export interface MessageView {
	type: "message.posted" | "thread.posted";
	room: string;
	position: number;
	number: number;
	changed: number;
	sender: string;
	sentAt: string;
	text: string;
	edited?: boolean;
	deleted?: boolean;
	pinned?: boolean;
	reactions?: Record<string, { n: number; mine: boolean; users: string[] }>;
	[field: string]: unknown;
}

export interface ThreadPage {
	messages: MessageView[];
	root: MessageView;
	following: boolean;
	unread: number;
	read: number;
	asOf: number;
}

/** The messages of a room as they read now, for a view. Open the room with `after: "newest"`. */
export declare class Timeline {
	constructor(room: Room, options?: { limit?: number });
	/** The same array until something changes. */
	readonly messages: readonly TimelineMessage[];
	readonly subscribe: (listener: () => void) => Off;
	/** Listens to the room no more. */
	close(): void;
}

export interface TimelineMessage {
	readonly type: "message.posted" | "thread.posted";
	readonly room: string;
	readonly position: number;
	readonly sender: string;
	readonly clientId: string;
	readonly sentAt: string;
	readonly text: string;
	readonly thread?: number;
	readonly replyTo?: number;
	readonly edited?: boolean;
	readonly deleted?: boolean;
	readonly pinned?: boolean;
	readonly reactions?: readonly { key: string; n: number; mine: boolean }[];
}

/** A message was not accepted. `code` is one of the protocol, or `closed`. */
export declare class SendError extends Error {
	constructor(code: string, message: string);
	readonly code: string;
}

/** A request was refused or failed. `status` is 0 if the server could not be reached. */
export declare class ApiError extends Error {
	constructor(status: number, code: string, detail: string, retryAfter?: number);
	readonly status: number;
	readonly code: string;
	readonly detail: string;
	/** Seconds to wait before a retry, if the server sent them. */
	readonly retryAfter?: number;
	/** Whether the same request may succeed later. */
	readonly temporary: boolean;
}
