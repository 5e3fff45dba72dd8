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
 * page signals every 3 seconds, and sends the message 4 seconds later. Some messages are
 * replies, some are edited or deleted, and others react to the newest one.
 */
final class Writing {

	/** Time from the first typing signal to the message. */
	static final Duration TYPING = Duration.ofSeconds(4);

	private static final long NEXT_SIGNAL_MILLIS = 3000;

	/** Time from a message to its edit or deletion. */
	private static final long CHANGE_MILLIS = 2000;

	private static final List<String> REACTIONS = List.of("\ud83d\udc4d", "\u2764\ufe0f", "\ud83d\ude02");

	private static final int ATTEMPTS = 20;

	private final List<LifeUser> users;

	private final String run;

	private final LifeOptions options;

	private final ScheduledExecutorService clock;

	private long sequence;

	private long uncounted;

	Writing(List<LifeUser> users, String run, LifeOptions options, ScheduledExecutorService clock) {
		this.users = users;
		this.run = run;
		this.options = options;
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
			react();
		}
	}

	/**
	 * Sends a message that is not counted, without typing.
	 */
	void sendUncounted(LifeUser writer, String room) {
		writer.send(room, new LoadMessage(this.run, this.uncounted++, System.nanoTime()));
	}

	/**
	 * Sends a reply that is not counted.
	 */
	void replyUncounted(LifeUser writer, String room) {
		writer.reply(room, new LoadMessage(this.run, this.uncounted++, System.nanoTime()));
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
				() -> ifFollowed(writer, room, () -> send(writer, room, new LoadMessage(this.run, number, intended))),
				intended - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	private void send(LifeUser writer, String room, LoadMessage message) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (random.nextDouble() < this.options.replies) {
			writer.reply(room, message);
		}
		else {
			writer.send(room, message);
		}
		if (random.nextDouble() < this.options.edits) {
			this.clock.schedule(writer::edit, CHANGE_MILLIS, TimeUnit.MILLISECONDS);
		}
		if (random.nextDouble() < this.options.deletions) {
			this.clock.schedule(writer::delete, CHANGE_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Lets some users react, as many as there are reactions for each message.
	 */
	private void react() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		for (double left = this.options.reactions; left > 0; left--) {
			LifeUser user = (random.nextDouble() < left) ? writer() : null;
			String room = (user != null) ? user.rooms().open().room() : null;
			if (user != null && room != null) {
				user.react(room, REACTIONS.get(random.nextInt(REACTIONS.size())), random.nextInt(5) > 0);
			}
		}
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
