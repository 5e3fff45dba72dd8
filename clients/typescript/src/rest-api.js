/**
 * A refused or failed request. `status` is the HTTP status, or 0 if the server could not be reached; `code` is a
 * stable identifier for programs and `detail` a sentence for people, as in RFC 9457.
 */
export class ApiError extends Error {

	constructor(status, code, detail, retryAfter) {
		super(detail);
		this.name = "ApiError";
		this.status = status;
		this.code = code;
		this.detail = detail;
		/** Seconds to wait before a retry, if the server sent them. */
		this.retryAfter = retryAfter;
	}

	/** Whether the same request may succeed later. */
	get temporary() {
		return this.status === 0 || this.status === 429 || this.status >= 500;
	}

}

/** Access tokens are refreshed this long before they expire. */
const LEEWAY_MS = 10_000;
/** Longest wait for the answer to a logout. */
const LOGOUT_MS = 3_000;
/** For a client that shares its sign-in with nobody. */
const ALONE = { newest: () => null, keep: () => {}, forget: () => {}, exclusively: (signIn, action) => action() };

/**
 * The REST part of the protocol: JSON requests and responses with bearer tokens, and one token refresh in flight at
 * a time. Tokens are `{username, signIn, accessToken, refreshToken, expiresAt}` with `expiresAt` in milliseconds, and the
 * `issuer` that issued them, if that is not the server itself.
 *
 * A refresh token is valid once: `shared` keeps the newest tokens of a sign-in for everyone who uses it.
 */
export class RestApi {

	#refreshing = null;

	constructor({ baseUrl, fetch, tokens = null, onTokens = () => {}, devices, deviceName, shared = ALONE, renew = undefined }) {
		this.devices = devices;
		this.deviceName = deviceName;
		this.renew = renew;
		this.shared = shared;
		this.baseUrl = baseUrl;
		this.fetch = fetch;
		this.tokens = tokens;
		this.onTokens = onTokens;
	}

	get(path, options) {
		return this.request("GET", path, undefined, options);
	}

	/** Sends a request as the signed-in user. On 401 it refreshes the token once. Throws ApiError, or the reason of the signal. */
	async request(method, path, body, { signal } = {}) {
		const token = await this.accessToken();
		try {
			return await this.#exchange(method, path, body, token, signal);
		}
		catch (error) {
			if (error.status !== 401) {
				throw error;
			}
			return this.#exchange(method, path, body, await this.accessToken(token), signal);
		}
	}

	/** Sends a request without a token. Throws ApiError. */
	open(method, path, body) {
		return this.#exchange(method, path, body, null);
	}

	async login(username, password) {
		const device = this.devices.get(username) ?? undefined;
		const answer = await this.open("POST", "/api/auth/login", { username, password, device, deviceName: this.deviceName });
		this.devices.set(username, answer.device);
		this.#keep(this.#tokens({ username }, answer));
	}

	/** Signs in with tokens of another issuer. The server says which of its users they belong to. */
	async adopt(answer) {
		const { username } = await this.#exchange("GET", "/api/me", undefined, answer.accessToken);
		const signIn = `issuer-${answer.accessToken.slice(-32)}`;
		this.#keep(this.#tokens({ username, issuer: answer.issuer }, { signIn, ...answer }));
	}

	/** Returns an access token that does not expire soon and is not the `refused` one. */
	async accessToken(refused) {
		if (!this.tokens) {
			throw new ApiError(401, "signed-out", "Sign in first.");
		}
		if (this.tokens.accessToken === refused || expiresSoon(this.tokens)) {
			await this.refresh();
		}
		return this.tokens.accessToken;
	}

	/** Fetches new tokens. Concurrent callers share one refresh. */
	refresh() {
		this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = null));
		return this.#refreshing;
	}

	/** Ends the sign-in on the server, if it can be reached, and forgets the tokens. */
	async logout() {
		try {
			await Promise.race([this.request("POST", "/api/auth/logout"), wait(LOGOUT_MS)]);
		}
		catch {
			// The server cannot be reached, or the sign-in has ended already.
		}
		if (this.tokens) {
			this.forget();
		}
	}

	/** Keeps the name that the server gives the user of tokens that came without one. */
	named(username) {
		if (this.tokens) {
			this.tokens.username ??= username;
		}
	}

	forget() {
		if (this.tokens) {
			this.shared.forget(this.tokens.signIn);
		}
		this.tokens = null;
		this.onTokens(null);
	}

	async #refreshOnce() {
		const used = this.tokens;
		try {
			await this.shared.exclusively(used.signIn, async () => {
				const newest = this.#newest(used);
				const tokens = newest !== used && !expiresSoon(newest) ? newest
					: this.#tokens(used, await this.#renewed(newest));
				if (this.tokens === used) {
					this.#keep(tokens);
				}
			});
		}
		catch (error) {
			if (!error.temporary && this.tokens === used) {
				this.forget();
			}
			throw error;
		}
		if (!this.tokens) {
			throw new ApiError(401, "signed-out", "Signed out.");
		}
	}

	#renewed(tokens) {
		return tokens.issuer ? this.renew(tokens)
			: this.open("POST", "/api/auth/refresh", { refreshToken: tokens.refreshToken });
	}

	/** Returns the tokens that somebody with the same sign-in has got since, or these. */
	#newest(used) {
		const newest = this.shared.newest(used.signIn);
		return newest?.expiresAt > used.expiresAt ? newest : used;
	}

	#tokens({ username, issuer, signIn: before }, { signIn = before, accessToken, refreshToken, expiresIn }) {
		const lifetime = expiresIn * 1000;
		return { username, issuer, signIn, accessToken, refreshToken, lifetime, expiresAt: Date.now() + lifetime };
	}

	#keep(tokens) {
		this.tokens = tokens;
		this.shared.keep(tokens);
		this.onTokens(tokens);
	}

	async #exchange(method, path, body, token, signal) {
		const headers = { Accept: "application/json, application/problem+json" };
		if (token) {
			headers.Authorization = `Bearer ${token}`;
		}
		if (body !== undefined) {
			headers["Content-Type"] = "application/json";
		}
		let response;
		let text;
		try {
			response = await this.fetch(this.baseUrl + path, { method, headers, body: JSON.stringify(body), signal });
			text = await response.text();
		}
		catch {
			signal?.throwIfAborted();
			throw new ApiError(0, "unreachable", "The server cannot be reached.");
		}
		const content = parse(text);
		if (!response.ok) {
			throw problem(response, content);
		}
		return content;
	}

}

/** Tokens that cannot be refreshed are used to the end. */
function expiresSoon({ expiresAt, lifetime, refreshToken }) {
	return expiresAt - Date.now() < (refreshToken ? Math.min(LEEWAY_MS, lifetime / 2) : 0);
}

function wait(millis) {
	return new Promise((resolve) => setTimeout(resolve, millis));
}

function parse(text) {
	try {
		return text ? JSON.parse(text) : undefined;
	}
	catch {
		return undefined;
	}
}

function problem(response, content) {
	const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
	const detail = content?.detail ?? content?.title ?? `The server answered ${response.status}.`;
	return new ApiError(response.status, content?.code ?? `http-${response.status}`, detail, retryAfter);
}
