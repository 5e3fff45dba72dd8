// @ts-check
import { ApiError } from "./rest-api.js";

/** What a client has before it has asked for a token: one that has expired, and that can be renewed. */
export const NO_TOKEN = { issuer: true, refreshToken: true, accessToken: undefined, lifetime: 0, expiresAt: 0 };

/**
 * Asks the application for a token. No token ends the sign-in; a failure does not.
 * @param {import("../index.d.ts").GetToken} getToken
 * @param {string | undefined} refused
 */
export async function askForToken(getToken, refused) {
	const answer = await Promise.resolve({ refused }).then(getToken).catch((error) => {
		throw error instanceof ApiError ? error : new ApiError(0, "token-unavailable", `getToken failed: ${error?.message ?? error}`);
	});
	if (!answer) {
		throw new ApiError(401, "signed-out", "getToken returned no token: the user has signed out.");
	}
	const given = typeof answer === "string" ? { accessToken: answer, expiresIn: undefined } : answer;
	return { accessToken: given.accessToken, expiresIn: given.expiresIn ?? lifetime(given.accessToken), refreshToken: true };
}

/**
 * Returns for how many seconds a JWT is valid. Trusts its whole lifetime rather than a clock that contradicts it.
 * @param {string} token
 */
function lifetime(token) {
	try {
		const { iat, exp } = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
		const left = exp - Date.now() / 1000;
		return left > 0 && left <= exp - iat ? left : exp - iat;
	}
	catch {
		throw new ApiError(0, "token-unavailable", "getToken must return a JWT, or {accessToken, expiresIn}.");
	}
}
