package io.parley.loadtest.life;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The life of users apart from messages: they open other rooms, lose the connection, and
 * leave channels and join them again. Must be ticked ten times a second by one thread.
 */
final class Churn {

	static final int TICKS_PER_SECOND = 10;

	private static final double TICKS_PER_MINUTE = 60.0 * TICKS_PER_SECOND;

	private static final long AWAY_MILLIS = 3000;

	private final List<LifeUser> users;

	private final LifeOptions options;

	private final LifeMeasures measures;

	private final ScheduledExecutorService clock;

	private volatile boolean on;

	Churn(List<LifeUser> users, LifeOptions options, LifeMeasures measures, ScheduledExecutorService clock) {
		this.users = users;
		this.options = options;
		this.measures = measures;
		this.clock = clock;
	}

	void start() {
		this.on = true;
	}

	void stop() {
		this.on = false;
	}

	void tick() {
		if (this.on) {
			some(this.options.switches, this::open);
			some(this.options.reconnects, (user) -> user.cut(false));
			some(this.options.rejoins, this::rejoin);
		}
	}

	/**
	 * Cuts all connections.
	 */
	void storm() {
		this.users.forEach((user) -> user.cut(true));
	}

	private void some(double perUserAndMinute, Consumer<LifeUser> action) {
		double expected = this.users.size() * perUserAndMinute / TICKS_PER_MINUTE;
		ThreadLocalRandom random = ThreadLocalRandom.current();
		for (double left = expected; left > 0; left--) {
			LifeUser user = this.users.get(random.nextInt(this.users.size()));
			if (random.nextDouble() < left && user.isLive()) {
				action.accept(user);
			}
		}
	}

	private void open(LifeUser user) {
		this.measures.switches.increment();
		user.run((tokens) -> user.rooms().open(tokens, user.rooms().busyRoom()));
	}

	private void rejoin(LifeUser user) {
		String room = user.rooms().channel();
		if (room != null) {
			user.run((tokens) -> {
				if (user.leave(tokens, room)) {
					this.clock.schedule(() -> user.run((later) -> user.join(later, room)), AWAY_MILLIS,
							TimeUnit.MILLISECONDS);
				}
			});
		}
	}

}
