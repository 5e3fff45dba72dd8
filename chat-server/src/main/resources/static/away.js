/** A user counts as away after this time without input, or with the page hidden. */
const AWAY_MS = 5 * 60_000;
/** Not `scroll`, which the page causes itself when a message arrives. */
const INPUT = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

/** Tells the server while the user is away from this page. */
export class Away {

	#activeAt = Date.now();
	#timer;

	constructor(chat) {
		this.chat = chat;
		const active = () => this.#active();
		// Browsers also report moves of a pointer that rests while the page moves below it.
		const input = ({ type, movementX, movementY }) => (type !== "pointermove" || movementX || movementY) && active();
		INPUT.forEach((name) => window.addEventListener(name, input, { capture: true, passive: true }));
		window.addEventListener("focus", active);
		// Hiding the page is the last that the user does there.
		document.addEventListener("visibilitychange", active);
		this.#wait(AWAY_MS);
	}

	/** Only notes the time: one timer waits for the end of it, however much the user does. */
	#active() {
		this.#activeAt = Date.now();
		if (!this.#timer) {
			this.chat.away(false);
			this.#wait(AWAY_MS);
		}
	}

	#wait(delay) {
		this.#timer = setTimeout(() => {
			const rest = this.#activeAt + AWAY_MS - Date.now();
			this.#timer = undefined;
			rest > 0 ? this.#wait(rest) : this.chat.away(true);
		}, delay);
	}

}
