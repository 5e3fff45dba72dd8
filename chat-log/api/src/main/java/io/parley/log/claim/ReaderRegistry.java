package io.parley.log.claim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Lets all open readers end with the log. Safe for use by many threads. */
public final class ReaderRegistry {

	private final SequencedSet<Consumer<Supplier<RuntimeException>>> open = new LinkedHashSet<>();

	private @Nullable Supplier<RuntimeException> cause;

	/** Told when the log ends, at once if it has. */
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

	/** A reader that was closed. */
	public synchronized void remove(Consumer<Supplier<RuntimeException>> reader) {
		this.open.remove(reader);
	}

	/**
	 * Ends all readers, the newest first: a reader that ends passes its turn on, and must
	 * not pass it to a reader of the same log that is about to end. The first cause
	 * stays.
	 */
	public void end(Supplier<RuntimeException> cause) {
		List<Consumer<Supplier<RuntimeException>>> told;
		synchronized (this) {
			if (this.cause == null) {
				this.cause = cause;
			}
			told = List.copyOf(this.open.reversed());
			this.open.clear();
		}
		told.forEach((reader) -> reader.accept(cause));
	}

}
