/** The messages of the user that are sent later, or could not be sent. */
export class ScheduledStore {

	#messages = new Map();
	/** What events say is newer than an answer that was asked for before them. */
	#changed = new Map();

	constructor(chat, { onChange }) {
		Object.assign(this, { chat, onChange });
		chat.on("scheduled.changed", ({ scheduled }) => this.#learn(scheduled));
	}

	/** Returns the messages, the next one first. */
	get all() {
		return [...this.#messages.values()].sort((one, other) => Date.parse(one.sendAt) - Date.parse(other.sendAt) || one.id - other.id);
	}

	async load() {
		const { scheduled } = await this.chat.scheduled();
		const listed = new Map(scheduled.map((message) => [message.id, message]));
		this.#changed.forEach((message, id) => (listed.get(id)?.version ?? 0) < message.version && listed.set(id, message));
		this.#messages = new Map([...listed].filter(([, message]) => isOpen(message)));
		this.#changed.clear();
		this.onChange();
	}

	async create(room, message) {
		this.#learn(await this.chat.schedule(room, message));
	}

	async change(id, changes) {
		this.#learn(await this.chat.changeScheduled(id, changes));
	}

	async cancel(id) {
		await this.chat.cancelScheduled(id);
		this.#messages.delete(id);
		this.onChange();
	}

	#learn(message) {
		if (message.version < (this.#messages.get(message.id)?.version ?? 0)) {
			return;
		}
		this.#changed.set(message.id, message);
		isOpen(message) ? this.#messages.set(message.id, message) : this.#messages.delete(message.id);
		this.onChange();
	}

}

function isOpen({ state }) {
	return state !== "sent" && state !== "cancelled";
}
