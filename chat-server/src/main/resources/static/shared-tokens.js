/** Key prefix in local storage, which all tabs share. */
const SIGN_IN = "parley.sign-in.";
/** Sign-ins of tabs that were closed without signing out are forgotten after this time. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/**
 * The newest tokens of each sign-in, for the tabs that share one, as after "duplicate tab". A refresh token is valid
 * once: a tab that used an old one again would end the sign-in.
 */
export class SharedTokens {

	constructor() {
		Object.keys(localStorage).filter((key) => key.startsWith(SIGN_IN)).forEach((key) => {
			if (!(parse(localStorage.getItem(key))?.expiresAt > Date.now() - MAX_AGE_MS)) {
				localStorage.removeItem(key);
			}
		});
	}

	newest(signIn) {
		return parse(localStorage.getItem(SIGN_IN + signIn));
	}

	keep(tokens) {
		localStorage.setItem(SIGN_IN + tokens.signIn, JSON.stringify(tokens));
	}

	forget(signIn) {
		localStorage.removeItem(SIGN_IN + signIn);
	}

	/**
	 * Runs one action at a time over all tabs. Browsers provide locks on secure origins only; elsewhere two refreshes at
	 * once get the same tokens from the server.
	 */
	exclusively(signIn, action) {
		return navigator.locks ? navigator.locks.request(SIGN_IN + signIn, action) : action();
	}

}

function parse(text) {
	try {
		return JSON.parse(text);
	}
	catch {
		return null;
	}
}
