import { Requests } from "./requests.js";
import { Client } from "./stompjs.js";

const HEARTBEAT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const BACKOFF_BASE_MS = 1_000;
const BACKOFF_CAP_MS = 30_000;
/** A connection that lasts this long resets the back-off. */
const STABLE_MS = 10_000;
/** The sign-in has ended: its tokens are refused from now on. */
const SIGNED_OUT = 4403;
/** What the states `waiting` and `offline` say of a connection that was closed with one of these codes. */
const CLOSED = {
	1001: "server-stopping", 1009: "message-too-large", 1013: "broker-away", 4401: "token-expired", 4403: "signed-out",
	4408: "no-heart-beat", 4413: "fell-behind",
};
/** Codes of an ERROR instead of CONNECTED after which the next attempt needs a new token. */
const TOKEN_REFUSED = new Set(["unauthorized", "token-expired", "signed-out"]);

/**
 * A STOMP connection that reconnects until it is closed or its sign-in has ended, with exponential back-off and full
 * jitter, so that many clients do not reconnect at the same time. The reconnect of stompjs has no jitter and is
 * disabled: each attempt uses a new stompjs client.
 *
 * States: `offline`, `connecting`, `online`, `waiting` (with `retryAt`, in milliseconds). `waiting` and `offline` have a `code`:
 * why the last connection or attempt ended.
 */
export class Connection {

	state = { name: "offline", code: "not-started" };
	#stomp = null;
	#requests = new Requests();
	#subscriptions = 0;
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
		this.#requests.clear();
		this.#failures = 0;
		this.#become({ name: "offline", code: "closed" });
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

	/**
	 * SENDs JSON, and again while the server refuses it for a while, on the current connection only. Returns a function
	 * that ends the attempts, or undefined if there is no connection.
	 * @param {{onConfirmed?: function(), onRefused?: function({code: string, message: string})}} [handlers]
	 */
	request(destination, body, handlers) {
		return this.online ? this.#request((receipt) => this.send(destination, body, { receipt }), handlers) : undefined;
	}

	/**
	 * Subscribes on the current connection only, and again while the server refuses it for a while, with the `headers()`
	 * of that moment. `onRefused({code, message})` is called on a permanent refusal. Returns a function that unsubscribes.
	 */
	subscribe(destination, onMessage, { headers = () => ({}), onRefused } = {}) {
		const stomp = this.#stomp;
		const id = `sub-${++this.#subscriptions}`;
		const receive = ({ body }) => onMessage(JSON.parse(body));
		const end = this.#request((receipt) => stomp.subscribe(destination, receive, { ...headers(), id, receipt }), { onRefused });
		return () => {
			end();
			stomp === this.#stomp && this.#use(() => stomp.unsubscribe(id));
		};
	}

	/** Called on an `error` event. Returns whether it is dealt with: a frame that is sent again, or that nobody waits for. */
	refuse(error) {
		return this.#requests.refuse(error);
	}

	#request(transmit, handlers) {
		const stomp = this.#stomp;
		return this.#requests.add((receipt) => {
			stomp.watchForReceipt(receipt, () => this.#requests.confirm(receipt));
			transmit(receipt);
		}, handlers);
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
			this.#lost(stomp, error.temporary ?? true, error.code ?? "token-unavailable");
		}
	}

	#start(stomp, token) {
		const current = (action) => (argument) => stomp === this.#stomp && action(argument);
		let since;
		let refusal;
		stomp.connectHeaders = { Authorization: `Bearer ${token}` };
		stomp.onConnect = current((frame) => {
			since = Date.now();
			this.#refused = undefined;
			this.#become({ name: "online" });
			this.onOnline(frame.headers["user-name"]);
		});
		stomp.onStompError = current((frame) => {
			refusal = frame.headers.message;
			this.#refused = !since && TOKEN_REFUSED.has(frame.headers.message) ? token : undefined;
			this.onStompError(frame.headers.message);
		});
		stomp.onWebSocketClose = current((event) => {
			if (event?.code === SIGNED_OUT) {
				this.#lost(stomp, false, CLOSED[SIGNED_OUT]);
				this.onSignedOut();
				return;
			}
			this.#failures = since && Date.now() - since > STABLE_MS ? 0 : this.#failures;
			this.#lost(stomp, true, refusal ?? CLOSED[event?.code] ?? "connection-lost");
		});
		stomp.activate();
	}

	#lost(stomp, again, code) {
		if (stomp !== this.#stomp) {
			return;
		}
		this.#stomp = null;
		this.#requests.clear();
		stomp.deactivate({ force: true });
		if (!again) {
			this.#become({ name: "offline", code });
			return;
		}
		const limit = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures++);
		const delay = Math.random() * limit;
		this.#become({ name: "waiting", code, retryAt: Date.now() + delay });
		this.#timer = setTimeout(() => this.#attempt(), delay);
	}

	#become(state) {
		this.state = state;
		this.onState(state);
	}

}
