import { byId, element } from "./dom.js";
import { inviteToken } from "./invite-links.js";
import { askIssuer, redeemAnswer } from "./issuer-sign-in.js";

/** What a server that does not say offers. */
const DEFAULTS = { localSignIn: true, registration: "open", issuers: [] };
/** Key in the tab's session storage: a sentence for the next sign-in. */
const NOTICE = "parley.notice";

/** The sign-in card: sign in, create an account, sign in by an issuer, or as a demo user with one click. */
export class SignIn {

	#registering = false;

	constructor(chat, onSignedIn) {
		this.chat = chat;
		this.onSignedIn = onSignedIn;
		this.form = byId("signin-form");
		this.form.addEventListener("submit", (event) => {
			event.preventDefault();
			this.#submit(this.form.username.value.trim(), this.form.password.value);
		});
		byId("signin-toggle").addEventListener("click", () => this.#toggle(!this.#registering));
		this.#offerDemo();
	}

	/** Leaves a sentence for the sign-in card that the page shows next. */
	static explainNext(sentence) {
		sessionStorage.setItem(NOTICE, sentence);
	}

	/** Shows the card; with the answer of an issuer, it signs in by it. */
	async show(answer) {
		byId("signin").hidden = false;
		this.form.reset();
		byId("signin-lead").textContent = sessionStorage.getItem(NOTICE) ?? this.#lead();
		sessionStorage.removeItem(NOTICE);
		this.form.username.focus();
		const options = this.#offer();
		if (answer) {
			await this.#attempt(async () => this.chat.loginWithTokens(await redeemAnswer(answer)));
		}
		await options;
	}

	hide() {
		byId("signin").hidden = true;
	}

	#toggle(registering) {
		this.#registering = registering;
		byId("signin-title").textContent = registering ? "Create your account" : "Welcome to Parley";
		byId("signin-lead").textContent = registering ? "Choose a name, and a password of several words." : this.#lead();
		byId("signin-toggle").textContent = registering ? "I have an account" : "Create an account";
		this.form.querySelector("button").textContent = registering ? "Create account" : "Sign in";
		this.form.password.autocomplete = registering ? "new-password" : "current-password";
		this.#explain("");
		this.form.username.focus();
	}

	#lead() {
		return inviteToken(location.hash) ? "You are invited to a conversation. Sign in to join it." : "Sign in to continue.";
	}

	/** Shows what the server offers: its own sign-in, registration, issuers. */
	async #offer() {
		const { localSignIn, registration, issuers } = (await this.chat.authOptions()) ?? DEFAULTS;
		const hadFocus = document.activeElement === this.form.username;
		this.form.hidden = !localSignIn;
		byId("signin-toggle").hidden = !localSignIn || registration !== "open";
		byId("issuers").replaceChildren(...issuers.map((issuer) => element("button", {
			type: "button",
			"data-testid": "issuer",
			onclick: () => this.#attempt(() => askIssuer(issuer), true),
		}, `Sign in with ${issuer.name}`)));
		byId("issuers").hidden = issuers.length === 0;
		byId("issuers").classList.toggle("alone", !localSignIn);
		if (!localSignIn && hadFocus) {
			byId("issuers").querySelector("button")?.focus();
		}
	}

	#submit(username, password) {
		if (!username || !password) {
			this.#explain("Enter a name and a password.");
			return;
		}
		this.#attempt(async () => {
			if (this.#registering) {
				await this.chat.register(username, password);
			}
			await this.chat.login(username, password);
			this.#toggle(false);
		});
	}

	async #attempt(action, leaving = false) {
		this.#explain("");
		this.#busy(true);
		try {
			await action();
			leaving || this.onSignedIn();
		}
		catch (error) {
			this.#explain(error.message);
		}
		finally {
			this.#busy(false);
		}
	}

	async #offerDemo() {
		const demo = await this.chat.demo();
		if (!demo?.users) {
			return;
		}
		byId("demo-users").replaceChildren(...demo.users.map((user) => element("button", {
			type: "button",
			"data-testid": `demo-${user}`,
			onclick: () => this.#enterDemo(user, demo.password),
		}, user)));
		byId("demo").hidden = false;
	}

	#enterDemo(user, password) {
		this.#toggle(false);
		this.#submit(user, password);
	}

	#explain(sentence) {
		byId("signin-error").textContent = sentence;
	}

	#busy(busy) {
		byId("signin").querySelectorAll("button").forEach((button) => (button.disabled = busy));
	}

}
