const KEY = "parley.unsent";

/**
 * Unacknowledged messages, kept in the tab's session storage. They survive a reload of the page and are then sent
 * again with the same clientId.
 */
export class Unsent {

	#messages;
	#taken = false;

	constructor(username) {
		this.username = username;
		this.#messages = JSON.parse(sessionStorage.getItem(KEY) ?? "[]").filter(({ sender }) => sender === username);
	}

	add(room, text, fields = {}) {
		const clientId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
		const message = { ...fields, room, text, clientId, sender: this.username, sentAt: new Date().toISOString() };
		this.#messages.push(message);
		this.#save();
		return message;
	}

	remove(clientId) {
		this.#messages = this.#messages.filter((message) => message.clientId !== clientId);
		this.#save();
	}

	/** Returns the messages that an earlier page left; empty when called again. */
	take() {
		const left = this.#taken ? [] : [...this.#messages];
		this.#taken = true;
		return left;
	}

	#save() {
		sessionStorage.setItem(KEY, JSON.stringify(this.#messages));
	}

}
