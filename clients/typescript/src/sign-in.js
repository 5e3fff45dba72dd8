// @ts-check
/** @import { Account } from "../index.d.ts" */
import { RestApi } from "./rest-api.js";

/**
 * Signs in with the password of an account of the server. Rejects with ApiError.
 * @param {import("../index.d.ts").SignInOptions} options
 * @returns {Promise<Account>}
 */
export async function signIn({ url, username, password, deviceName, device, fetch = globalThis.fetch.bind(globalThis) }) {
	const devices = new Map([[username, device]]);
	const rest = new RestApi({ baseUrl: url.replace(/\/$/, ""), fetch, deviceName, devices });
	await rest.login(username, password);
	return {
		username,
		device: String(devices.get(username)),
		getToken: async ({ refused } = {}) => ({ accessToken: await rest.accessToken(refused), expiresIn: (rest.tokens.expiresAt - Date.now()) / 1000 }),
		signOut: () => rest.logout(),
	};
}
