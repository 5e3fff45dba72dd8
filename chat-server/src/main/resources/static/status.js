import { byId } from "./dom.js";

const TOAST_MS = 6_000;
const WORDS = { offline: "Offline", connecting: "Connecting", online: "Online", waiting: "Reconnecting" };

/** The connection pill, the unread count in the title, and short notices. */
export class Status {

	#ticking;
	#toasting;

	constructor(chat) {
		this.chat = chat;
		chat.on("state", () => this.render());
		byId("retry").addEventListener("click", () => chat.retryNow());
	}

	render() {
		const { name, retryAt } = this.chat.state;
		const seconds = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000));
		byId("connection").dataset.state = name;
		byId("connection-text").textContent = name === "waiting" ? `Reconnecting in ${seconds} s` : WORDS[name];
		if (byId("connection-status").textContent !== WORDS[name]) {
			byId("connection-status").textContent = WORDS[name];
		}
		byId("retry").hidden = name !== "waiting";
		clearTimeout(this.#ticking);
		if (name === "waiting") {
			this.#ticking = setTimeout(() => this.render(), 500);
		}
	}

	title(store) {
		const count = store?.unread ? `(${store.unread}) ` : "";
		document.title = store?.current ? `${count}${store.current.title} – Parley` : `${count}Parley`;
	}

	toast(sentence) {
		const toast = byId("toast");
		toast.textContent = sentence;
		toast.hidden = false;
		clearTimeout(this.#toasting);
		this.#toasting = setTimeout(() => (toast.hidden = true), TOAST_MS);
	}

}
