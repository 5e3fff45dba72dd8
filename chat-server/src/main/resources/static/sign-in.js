import { byId, element } from "./dom.js";

/** The sign-in card: sign in, create an account, or sign in as a demo user with one click. */
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

	show() {
		byId("signin").hidden = false;
		this.form.reset();
		this.form.username.focus();
	}

	hide() {
		byId("signin").hidden = true;
	}

	#toggle(registering) {
		this.#registering = registering;
		byId("signin-title").textContent = registering ? "Create your account" : "Welcome to Parley";
		byId("signin-lead").textContent = registering ? "Choose a name, and a password of several words." : "Sign in to continue.";
		byId("signin-toggle").textContent = registering ? "I have an account" : "Create an account";
		this.form.querySelector("button").textContent = registering ? "Create account" : "Sign in";
		this.form.password.autocomplete = registering ? "new-password" : "current-password";
		this.#explain("");
		this.form.username.focus();
	}

	async #submit(username, password) {
		if (!username || !password) {
			this.#explain("Enter a name and a password.");
			return;
		}
		this.#explain("");
		this.#busy(true);
		try {
			if (this.#registering) {
				await this.chat.register(username, password);
			}
			await this.chat.login(username, password);
			this.#toggle(false);
			this.onSignedIn();
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
