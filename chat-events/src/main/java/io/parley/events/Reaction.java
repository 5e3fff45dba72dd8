package io.parley.events;

import java.util.Set;

/**
 * A reaction of a user to a message.
 *
 * @param key an emoji, or a name such as {@code :party:}
 */
public record Reaction(String user, String key) {

	/** A user gives a reaction, or takes it back. */
	public record Change(Reaction reaction, boolean on) {

		/**
		 * Applies the change to the reactions that are given.
		 * @return whether it has an effect
		 */
		public boolean applyTo(Set<Reaction> given) {
			return this.on ? given.add(this.reaction) : given.remove(this.reaction);
		}

	}

}
