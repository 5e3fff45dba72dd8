package io.parley.log.claim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Tracks the open readers of a log and ends them with the log. Safe for use by many
 * threads.
 */
public final class ReaderRegistry {

	private final SequencedSet<Consumer<Supplier<RuntimeException>>> open = new LinkedHashSet<>();

	private @Nullable Supplier<RuntimeException> cause;

	/**
	 * Adds a reader, which is called when the log ends, or at once if it has ended
	 * already.
	 */
	public void add(Consumer<Supplier<RuntimeException>> reader) {
		Supplier<RuntimeException> ended;
		synchronized (this) {
			ended = this.cause;
			if (ended == null) {
				this.open.add(reader);
			}
		}
		if (ended != null) {
			reader.accept(ended);
		}
	}

	/** Removes a closed reader. */
	public synchronized void remove(Consumer<Supplier<RuntimeException>> reader) {
		this.open.remove(reader);
	}

	/**
	 * Ends all readers, newest first: a reader that ends passes its lease on, and must
	 * not pass it to a reader of the same log that is about to end. Only the first cause
	 * is kept for readers that are added later.
	 */
	public void end(Supplier<RuntimeException> cause) {
		List<Consumer<Supplier<RuntimeException>>> readers;
		synchronized (this) {
			if (this.cause == null) {
				this.cause = cause;
			}
			readers = List.copyOf(this.open.reversed());
			this.open.clear();
		}
		readers.forEach((reader) -> reader.accept(cause));
	}

}
