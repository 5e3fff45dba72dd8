package io.parley.loadtest.life;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

/**
 * Users who write at a human rate: one of them begins to type in the open room, which the
 * page signals every 3 seconds, and sends the message 4 seconds later.
 */
final class Writing {

	/** Time from the first typing signal to the message. */
	static final Duration TYPING = Duration.ofSeconds(4);

	private static final long NEXT_SIGNAL_MILLIS = 3000;

	private static final int ATTEMPTS = 20;

	private final List<LifeUser> users;

	private final String run;

	private final ScheduledExecutorService clock;

	private long sequence;

	private long uncounted;

	Writing(List<LifeUser> users, String run, ScheduledExecutorService clock) {
		this.users = users;
		this.run = run;
		this.clock = clock;
		this.uncounted = LoadMessage.UNCOUNTED;
	}

	/**
	 * Writes for the given time. The last messages are sent {@link #TYPING} before its
	 * end at the latest.
	 * @param counts whether the messages are counted
	 */
	void write(double perSecond, Duration length, boolean counts) {
		Pace pace = Pace.startingNow(perSecond);
		long last = pace.start() + length.minus(TYPING).toNanos();
		for (long n = 0; pace.intended(n) < last && !Interrupt.requested(); n++) {
			long begun = pace.await(n);
			LifeUser writer = writer();
			if (writer != null) {
				begin(writer, begun + TYPING.toNanos(), counts ? this.sequence++ : this.uncounted++);
			}
		}
	}

	/**
	 * Sends a message that is not counted, without typing.
	 */
	void sendUncounted(LifeUser writer, String room) {
		writer.send(room, new LoadMessage(this.run, this.uncounted++, System.nanoTime()));
	}

	/**
	 * Only a user whose connection is up types.
	 */
	private @Nullable LifeUser writer() {
		for (int n = 0; n < ATTEMPTS; n++) {
			LifeUser user = this.users.get(ThreadLocalRandom.current().nextInt(this.users.size()));
			if (user.isLive() && user.rooms().open().room() != null) {
				return user;
			}
		}
		return null;
	}

	private void begin(LifeUser writer, long intended, long number) {
		String room = writer.rooms().open().room();
		if (room == null) {
			return;
		}
		writer.type(room);
		this.clock.schedule(() -> ifFollowed(writer, room, () -> writer.type(room)), NEXT_SIGNAL_MILLIS,
				TimeUnit.MILLISECONDS);
		this.clock.schedule(
				() -> ifFollowed(writer, room, () -> writer.send(room, new LoadMessage(this.run, number, intended))),
				intended - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	/**
	 * The user may have left the room while typing.
	 */
	private static void ifFollowed(LifeUser writer, String room, Runnable action) {
		if (writer.rooms().follows(room)) {
			action.run();
		}
	}

}
