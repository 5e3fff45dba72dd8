/** What became of the messages of a room: edits, deletions, reactions and pins, whichever order they arrive in. */
export class MessageChanges {

	/** By the position of the message. */
	#changes = new Map();

	constructor(me) {
		this.me = me;
	}

	/** Applies a room event; returns whether it changes a message that was not deleted before. */
	apply({ type, target, thread, position, text, mentions, superseded, counts, by, on }) {
		const before = this.#changes.get(target) ?? {};
		// A deletion is final, and of two changes of a kind the later one counts.
		if (superseded || before.deleted) {
			return false;
		}
		if (type === "message.deleted") {
			this.#changes.set(target, { changed: position, deleted: true, text: "", thread });
		}
		else if (type === "message.edited" && position > (before.editedAt ?? 0)) {
			this.#changes.set(target, { ...before, editedAt: position, edited: true, text, mentions });
		}
		else if (type === "reaction.changed" && position > (before.reactedAt ?? 0)) {
			this.#changes.set(target, { ...before, reactedAt: position, reactions: this.#reactions(before.reactions, counts, by) });
		}
		else if (type === "pin.changed" && position > (before.pinnedAt ?? 0)) {
			this.#changes.set(target, { ...before, pinnedAt: position, pinned: on });
		}
		else {
			return false;
		}
		return true;
	}

	#reactions(before, counts, by) {
		const mine = new Map(by.filter(({ user }) => user === this.me).map(({ key, on }) => [key, on]));
		return Object.entries(counts).map(([key, n]) =>
			({ key, n, mine: mine.get(key) ?? Boolean(before?.find((reaction) => reaction.key === key)?.mine) }));
	}

	/** Applies a message as a view has it, which says which reactions are the user's own. */
	applyView({ position, changed, reactions = {} }) {
		const before = this.#changes.get(position) ?? {};
		if (!before.deleted && changed >= (before.reactedAt ?? 0)) {
			const seen = Object.entries(reactions).map(([key, { n, mine }]) => ({ key, n, mine }));
			this.#changes.set(position, { ...before, reactedAt: changed, reactions: seen });
		}
	}

	/** Records that the server has taken a reaction of the user; its event may not name the user. */
	reacted(target, key, on) {
		this.#changes.get(target)?.reactions?.filter((reaction) => reaction.key === key).forEach((reaction) => (reaction.mine = on));
	}

	/** Returns the message as it reads now. */
	current(message) {
		const change = this.#changes.get(message.position);
		return change ? { ...message, ...change } : message;
	}

	/** Returns how many messages of the room with a position above `read`, up to `head`, were deleted after `head`. */
	deletedSince(head, read) {
		return [...this.#changes].filter(([target, { deleted, changed, thread }]) =>
			deleted && !thread && changed > head && target > read && target <= head).length;
	}

}
