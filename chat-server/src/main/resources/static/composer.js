import { byId } from "./dom.js";

/** The server's limit for the body of a SEND, in bytes. */
const LIMIT = 16_384;
/** Space for the JSON around the text, in bytes. */
const ENVELOPE = 100;

/** The message input: Enter sends, Shift+Enter inserts a line break. Each room keeps its draft. */
export class Composer {

	#room = null;

	constructor(store, onSent) {
		this.store = store;
		this.onSent = onSent;
		this.text = byId("text");
		byId("composer").addEventListener("submit", (event) => {
			event.preventDefault();
			this.#send();
		});
		this.text.addEventListener("keydown", (event) => this.#key(event));
		this.text.addEventListener("input", () => this.#typed());
	}

	render() {
		const readOnly = this.store.current?.role === "reader";
		this.text.disabled = readOnly;
		this.text.placeholder = readOnly ? "You can only read here" : "Write a message";
		if (this.#room === this.store.current) {
			return;
		}
		this.#room = this.store.current;
		this.text.value = this.#room?.draft ?? "";
		this.#explain("");
		if (this.#room && matchMedia("(pointer: fine)").matches) {
			this.text.focus();
		}
	}

	#key(event) {
		if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
			event.preventDefault();
			this.#send();
		}
	}

	#typed() {
		this.#room.draft = this.text.value;
		this.#explain("");
		if (this.text.value.trim()) {
			this.store.chat.typing(this.#room.id);
		}
	}

	#send() {
		const text = this.text.value.trim();
		const bytes = new TextEncoder().encode(JSON.stringify(text)).length + ENVELOPE;
		if (bytes > LIMIT) {
			const [is, may] = [bytes, LIMIT].map((number) => number.toLocaleString());
			this.#explain(`This message is too long (${is} of ${may} bytes). Shorten it or send it in parts.`);
		}
		else if (text) {
			this.text.value = this.#room.draft = "";
			this.store.send(this.#room, text);
			this.onSent();
		}
	}

	#explain(sentence) {
		byId("composer-error").textContent = sentence;
	}

}
