import { explain, onSubmit, require } from "./dialogs.js";
import { byId } from "./dom.js";
import { editedMentions, mentionsIn } from "./mentions.js";
import { tooLong } from "./composer.js";

const HOUR_MS = 3_600_000;

/** Asks when a message is to be sent, and changes messages that wait for it. */
export class SendLater {

	#room;
	#message;
	#done;

	constructor(store) {
		this.store = store;
		this.dialog = byId("later-dialog");
		this.form = byId("later-form");
		onSubmit(this.form, () => this.#submit());
	}

	/** Schedules a new message `{text, replyTo, thread}`; calls `done` when the server has it. */
	open(room, message, done) {
		this.#show(room, { ...message, clientId: crypto.randomUUID() }, done);
		byId("later-title").textContent = "Send later";
		byId("later-submit").textContent = "Schedule";
	}

	/** Changes a message that waits, or could not be sent. */
	edit(room, { id, sendAt, state, message }) {
		this.#show(room, { ...message, id, sendAt: state === "failed" ? undefined : sendAt }, () => {});
		byId("later-title").textContent = "Change the message";
		byId("later-submit").textContent = "Save";
	}

	#show(room, message, done) {
		this.#room = room;
		this.#message = message;
		this.#done = done;
		byId("later-about").textContent = message.thread ? `A reply in a thread of ${room.title}` : `To ${room.title}`;
		byId("later-text").value = message.text;
		byId("later-at").value = local(message.sendAt ? Date.parse(message.sendAt) : Math.ceil((Date.now() + 60_000) / HOUR_MS) * HOUR_MS);
		byId("later-at").min = local(Date.now());
		explain(this.form, "");
		this.dialog.showModal();
	}

	async #submit() {
		const text = byId("later-text").value.trim();
		const problem = tooLong(text);
		require(text, "Write the message.");
		require(!problem, problem);
		require(byId("later-at").value, "Choose a day and a time.");
		const at = new Date(byId("later-at").value);
		require(at > new Date() || this.#isUnchanged(at), "Choose a time in the future.");
		const { id, clientId, thread, replyTo, mentions } = this.#message;
		const sendAt = this.#isUnchanged(at) ? undefined : at.toISOString();
		if (id) {
			await this.store.scheduled.change(id, { text, sendAt, mentions: editedMentions(text, this.#room, mentions) });
		}
		else {
			await this.store.scheduled.create(this.#room.id, { clientId, text, sendAt, thread, replyTo, mentions: mentionsIn(text, this.#room) });
		}
		this.dialog.close();
		this.#done();
	}

	/** The input has no seconds. */
	#isUnchanged(at) {
		const { sendAt } = this.#message;
		return sendAt !== undefined && local(Date.parse(sendAt)) === local(at.getTime());
	}

}

/** Returns a time as the input wants it: local, without seconds. */
function local(millis) {
	return new Date(millis - new Date(millis).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
