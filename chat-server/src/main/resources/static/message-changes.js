/** What became of the messages of a room: edits and deletions, whichever order they arrive in. */
export class MessageChanges {

	/** By the position of the message. */
	#changes = new Map();

	/** Applies a room event; returns whether it changes a message that was not deleted before. */
	apply({ type, target, position, text, superseded }) {
		const deleted = type === "message.deleted";
		if (superseded || (!deleted && type !== "message.edited")) {
			return false;
		}
		const before = this.#changes.get(target);
		// A deletion is final, and of two edits the later one counts.
		if (before?.deleted || (!deleted && before?.changed > position)) {
			return false;
		}
		this.#changes.set(target, deleted ? { changed: position, deleted, text: "" } : { changed: position, edited: true, text });
		return true;
	}

	/** Returns the message as it reads now. */
	current(message) {
		const change = this.#changes.get(message.position);
		return change ? { ...message, ...change } : message;
	}

	/** Returns how many messages with a position above `read`, up to `head`, were deleted after `head`. */
	deletedSince(head, read) {
		return [...this.#changes].filter(([target, { deleted, changed }]) =>
			deleted && changed > head && target > read && target <= head).length;
	}

}
