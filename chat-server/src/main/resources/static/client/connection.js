import { ApiError } from "./rest-api.js";
import { Client } from "./stompjs.js";

const HEARTBEAT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const BACKOFF_BASE_MS = 1_000;
const BACKOFF_CAP_MS = 30_000;
/** A connection that lasts this long resets the back-off. */
const STABLE_MS = 10_000;
/** The sign-in has ended: its tokens are refused from now on. */
const SIGNED_OUT = 4403;

/** Connects once, and returns the user to whom the server says the token belongs. Throws ApiError. */
export async function userOf({ url, webSocketFactory, token }) {
	const stomp = new Client({
		brokerURL: url,
		webSocketFactory: webSocketFactory && (() => webSocketFactory(url, ["v12.stomp"])),
		connectHeaders: { Authorization: `Bearer ${token}` },
		connectionTimeout: CONNECT_TIMEOUT_MS,
		reconnectDelay: 0,
	});
	try {
		return await new Promise((resolve, reject) => {
			stomp.onConnect = ({ headers }) => resolve(headers["user-name"]);
			stomp.onStompError = (frame) => reject(refusal(frame));
			stomp.onWebSocketClose = () => reject(new ApiError(0, "unreachable", "The server cannot be reached."));
			stomp.activate();
		});
	}
	finally {
		stomp.deactivate({ force: true });
	}
}

function refusal({ headers, body }) {
	try {
		const { code, message } = JSON.parse(body);
		return new ApiError(401, code, message);
	}
	catch {
		return new ApiError(401, headers.message, "The server refused the sign-in.");
	}
}

/**
 * A STOMP connection that reconnects until it is closed or its sign-in has ended, with exponential back-off and full
 * jitter, so that many clients do not reconnect at the same time. The reconnect of stompjs has no jitter and is
 * disabled: each attempt uses a new stompjs client.
 *
 * States: `offline`, `connecting`, `online`, `waiting` (with `retryAt`, in milliseconds).
 */
export class Connection {

	state = { name: "offline" };
	#stomp = null;
	#failures = 0;
	#timer;
	#refused;

	constructor({ url, webSocketFactory, token, onOnline, onState, onSignedOut, onStompError, heartbeatStrategy }) {
		Object.assign(this, { url, webSocketFactory, token, onOnline, onState, onSignedOut, onStompError, heartbeatStrategy });
	}

	get online() {
		return this.state.name === "online" && this.#stomp.connected;
	}

	open() {
		if (this.state.name === "offline") {
			this.#attempt();
		}
	}

	/** Reconnects now instead of at the end of the wait. */
	retryNow() {
		if (this.state.name === "waiting") {
			clearTimeout(this.#timer);
			this.#attempt();
		}
	}

	close() {
		clearTimeout(this.#timer);
		const stomp = this.#stomp;
		this.#stomp = null;
		this.#failures = 0;
		this.#become({ name: "offline" });
		stomp?.deactivate();
	}

	/** SENDs JSON; returns false if there is no connection. */
	send(destination, body, headers = {}) {
		return this.#use((stomp) => stomp.publish({
			destination,
			body: JSON.stringify(body),
			headers: { "content-type": "application/json", ...headers },
		}));
	}

	/** SENDs JSON and calls `onReceipt` on its RECEIPT; returns false if there is no connection. */
	sendWithReceipt(destination, body, receipt, onReceipt) {
		return this.#use((stomp) => stomp.watchForReceipt(receipt, onReceipt))
			&& this.send(destination, body, { receipt });
	}

	/** Subscribes on the current connection only; not repeated on the next one. Returns a function that unsubscribes. */
	subscribe(destination, onMessage, headers) {
		const stomp = this.#stomp;
		const subscription = stomp.subscribe(destination, ({ body }) => onMessage(JSON.parse(body)), headers);
		return () => stomp === this.#stomp && this.#use(() => subscription.unsubscribe());
	}

	#use(action) {
		if (!this.online) {
			return false;
		}
		action(this.#stomp);
		return true;
	}

	async #attempt() {
		const stomp = new Client({
			heartbeatIncoming: HEARTBEAT_MS,
			heartbeatOutgoing: HEARTBEAT_MS,
			heartbeatStrategy: this.heartbeatStrategy,
			connectionTimeout: CONNECT_TIMEOUT_MS,
			reconnectDelay: 0,
			discardWebsocketOnCommFailure: true,
			brokerURL: this.url,
			webSocketFactory: this.webSocketFactory && (() => this.webSocketFactory(this.url, ["v12.stomp"])),
		});
		this.#stomp = stomp;
		this.#become({ name: "connecting" });
		try {
			const token = await this.token(this.#refused);
			if (stomp === this.#stomp) {
				this.#start(stomp, token);
			}
		}
		catch (error) {
			this.#lost(stomp, error.temporary ?? true);
		}
	}

	#start(stomp, token) {
		const current = (action) => (argument) => stomp === this.#stomp && action(argument);
		let since;
		stomp.connectHeaders = { Authorization: `Bearer ${token}` };
		stomp.onConnect = current(() => {
			since = Date.now();
			this.#refused = undefined;
			this.#become({ name: "online" });
			this.onOnline();
		});
		stomp.onStompError = current((frame) => {
			// An ERROR instead of CONNECTED may mean an invalid token: the next attempt uses a new one.
			this.#refused = since ? undefined : token;
			this.onStompError(frame.headers.message);
		});
		stomp.onWebSocketClose = current((event) => {
			if (event?.code === SIGNED_OUT) {
				this.#lost(stomp, false);
				this.onSignedOut();
				return;
			}
			this.#failures = since && Date.now() - since > STABLE_MS ? 0 : this.#failures;
			this.#lost(stomp, true);
		});
		stomp.activate();
	}

	#lost(stomp, again) {
		if (stomp !== this.#stomp) {
			return;
		}
		this.#stomp = null;
		stomp.deactivate({ force: true });
		if (!again) {
			this.#become({ name: "offline" });
			return;
		}
		const limit = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures++);
		const delay = Math.random() * limit;
		this.#become({ name: "waiting", retryAt: Date.now() + delay });
		this.#timer = setTimeout(() => this.#attempt(), delay);
	}

	#become(state) {
		this.state = state;
		this.onState(state);
	}

}
