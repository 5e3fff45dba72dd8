import { ApiError } from "./client/rest-api.js";
import { require } from "./dialogs.js";

/** Key in the tab's session storage: what this tab has asked an issuer for. */
const PENDING = "parley.issuer";
const MAX_AGE_MS = 15 * 60_000;
const DEFAULT_LIFE_S = 300;
const LONGEST_DESCRIPTION = 200;
const STALE = "This answer does not belong to a sign-in of this tab. Sign in again.";

/**
 * Sign-in by an issuer outside of the chat server: the authorization code flow of OAuth 2.0 with PKCE, as a public
 * client. Addresses come from the chat server and from the issuer's metadata, never from the address of the page.
 */

/** Goes to the page of the issuer. Rejects if that is not possible. */
export async function askIssuer(issuer) {
	require(globalThis.crypto?.subtle, `Signing in with ${issuer.name} needs HTTPS. Tell an operator.`);
	const { authorizationEndpoint, tokenEndpoint } = await endpoints(issuer);
	const pending = {
		issuer: { name: issuer.name, issuer: issuer.issuer, clientId: issuer.clientId, tokenEndpoint },
		state: secret(),
		verifier: secret(),
		nonce: asksForIdToken(issuer) ? secret() : undefined,
		redirectUri: redirectUri(),
		fragment: location.hash,
		at: Date.now(),
	};
	const address = new URL(authorizationEndpoint);
	const parameters = {
		response_type: "code",
		client_id: issuer.clientId,
		redirect_uri: pending.redirectUri,
		scope: issuer.scope,
		state: pending.state,
		nonce: pending.nonce,
		code_challenge: base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier))),
		code_challenge_method: "S256",
	};
	Object.entries(parameters).filter(([, value]) => value).forEach(([name, value]) => address.searchParams.set(name, value));
	sessionStorage.setItem(PENDING, JSON.stringify(pending));
	location.assign(address);
}

/**
 * Takes the answer of an issuer out of the address of the page, before anything else is done. Returns null if there is
 * none. An answer is valid once, in the tab that asked for it.
 */
export function takeAnswer() {
	const parameters = new URLSearchParams(location.search);
	if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error"))) {
		return null;
	}
	const pending = JSON.parse(sessionStorage.getItem(PENDING));
	const mine = pending !== null && pending.state === parameters.get("state");
	history.replaceState(null, "", location.pathname + (mine ? pending.fragment : ""));
	if (!mine) {
		return { mine };
	}
	sessionStorage.removeItem(PENDING);
	return { mine, pending, parameters };
}

/** Gets the tokens for an answer: `{accessToken, refreshToken?, expiresIn, issuer}`. */
export async function redeemAnswer({ mine, pending, parameters }) {
	require(mine && Date.now() - pending.at < MAX_AGE_MS, STALE);
	const { issuer, verifier, nonce, redirectUri } = pending;
	require(!parameters.has("iss") || parameters.get("iss") === issuer.issuer, STALE);
	if (parameters.has("error")) {
		throw new Error(inWords(issuer, parameters.get("error"), parameters.get("error_description")));
	}
	const answer = await post(issuer, {
		grant_type: "authorization_code",
		code: parameters.get("code"),
		redirect_uri: redirectUri,
		code_verifier: verifier,
	});
	if (answer.id_token !== undefined) {
		checkIdToken(issuer, claims(answer.id_token), nonce);
	}
	return { ...tokens(issuer, answer), issuer };
}

/** Gets new tokens with the refresh token of the issuer. Throws ApiError. */
export async function renew({ issuer, refreshToken }) {
	if (!refreshToken) {
		throw new ApiError(401, "signed-out", `Your sign-in with ${issuer.name} has ended. Sign in again.`);
	}
	return { refreshToken, ...tokens(issuer, await post(issuer, { grant_type: "refresh_token", refresh_token: refreshToken })) };
}

async function endpoints({ name, issuer, authorizationEndpoint, tokenEndpoint }) {
	let found = { authorizationEndpoint, tokenEndpoint };
	if (!authorizationEndpoint || !tokenEndpoint) {
		const metadata = await fetchJson(name, `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, { credentials: "omit" });
		require(metadata.ok && metadata.content.issuer === issuer, `${name} is not set up for this chat. Tell an operator.`);
		found = {
			authorizationEndpoint: authorizationEndpoint ?? metadata.content.authorization_endpoint,
			tokenEndpoint: tokenEndpoint ?? metadata.content.token_endpoint,
		};
	}
	require(Object.values(found).every(isWebAddress), `${name} is not set up for this chat. Tell an operator.`);
	return found;
}

/** Codes and tokens travel over TLS, or stay on this machine. */
function isWebAddress(address) {
	if (!URL.canParse(address)) {
		return false;
	}
	const { protocol, hostname } = new URL(address);
	return protocol === "https:"
		|| (protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
}

async function post(issuer, parameters) {
	const { ok, status, content } = await fetchJson(issuer.name, issuer.tokenEndpoint, {
		method: "POST",
		credentials: "omit",
		redirect: "error",
		headers: { Accept: "application/json" },
		body: new URLSearchParams({ ...parameters, client_id: issuer.clientId }),
	});
	if (!ok) {
		throw new ApiError(status, content.error ?? `http-${status}`, inWords(issuer, content.error, content.error_description));
	}
	if (!content.access_token || !/^bearer$/i.test(content.token_type ?? "")) {
		throw new ApiError(400, "no-token", `${issuer.name} did not sign you in. Try again.`);
	}
	return content;
}

async function fetchJson(name, address, options) {
	let response;
	try {
		response = await fetch(address, options);
	}
	catch {
		throw new ApiError(0, "unreachable", `${name} cannot be reached. Try again; if that does not help, tell an operator.`);
	}
	return { ok: response.ok, status: response.status, content: (await response.json().catch(() => null)) ?? {} };
}

function tokens(issuer, { access_token, refresh_token, expires_in }) {
	const answer = { accessToken: access_token, expiresIn: Number(expires_in) || remaining(access_token) };
	return refresh_token ? { ...answer, refreshToken: refresh_token } : answer;
}

function remaining(token) {
	const { exp } = claims(token);
	return exp ? Math.max(1, exp - Date.now() / 1000) : DEFAULT_LIFE_S;
}

/** The token comes from the issuer itself, by TLS, so its signature need not be checked (OpenID Connect Core, 3.1.3.7). */
function checkIdToken(issuer, { iss, aud, exp, nonce }, expected) {
	const fits = iss === issuer.issuer && [aud].flat().includes(issuer.clientId) && exp * 1000 > Date.now() && nonce === expected;
	require(fits, `The answer of ${issuer.name} does not belong to this sign-in. Sign in again.`);
}

function claims(token) {
	try {
		const [, payload] = token.split(".");
		const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.codePointAt(0));
		return JSON.parse(new TextDecoder().decode(bytes)) ?? {};
	}
	catch {
		return {};
	}
}

function inWords({ name }, error, description) {
	const sentence = {
		access_denied: `You did not sign in: ${name} did not allow it, or you cancelled.`,
		invalid_grant: `The answer of ${name} was too old or used already. Sign in again.`,
		temporarily_unavailable: `${name} is not available now. Try again later.`,
		server_error: `${name} is not available now. Try again later.`,
	}[error] ?? `${name} refused the sign-in. Try again; if that does not help, tell an operator.`;
	const reason = typeof description === "string" ? description : typeof error === "string" ? error : "";
	return reason ? `${sentence} (${reason.slice(0, LONGEST_DESCRIPTION)})` : sentence;
}

function asksForIdToken({ scope }) {
	return (scope ?? "").split(" ").includes("openid");
}

/** The page itself, whatever its address has besides. */
function redirectUri() {
	return new URL("/", location.href).href;
}

/** Returns 256 random bits. */
function secret() {
	return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
	return btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
