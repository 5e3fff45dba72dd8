package io.parley.loadtest.life;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.ServerMeter;
import io.parley.loadtest.measure.ServerMeter.Counters;
import io.parley.loadtest.measure.ServerMeter.Growth;
import io.parley.loadtest.user.People.Room;

/**
 * Measures what each action costs the database of an otherwise idle server: does it some
 * times, one after the other, and reads the counter of statements before and after. What
 * the server does by itself in the same time is taken away.
 */
final class Costs {

	/**
	 * How long the server is left alone to learn what it does by itself.
	 */
	private static final Duration IDLE = Duration.ofSeconds(6);

	/**
	 * After an action: presence and notices of unread messages are gathered for a second.
	 */
	private static final Duration SETTLE = Duration.ofMillis(2500);

	/** After messages: pushes are decided seconds later. */
	private static final Duration SETTLE_MESSAGES = Duration.ofSeconds(8);

	private static final Duration QUIET = Duration.ofSeconds(60);

	private static final Duration LIVE = Duration.ofSeconds(30);

	private static final Duration PAUSE = Duration.ofMillis(20);

	private final LifeContext life;

	private final ServerMeter meter;

	private final Writing writing;

	private final List<Pair> pairs;

	private Growth idle = Growth.UNKNOWN;

	/** Two members of a room that no other pair has. */
	private record Pair(LifeUser writer, LifeUser reader, String room) {
	}

	/**
	 * The cost of one action.
	 *
	 * @param times how often it was done
	 * @param byServer statements of the server for each
	 * @param byWorkers statements of the workers in the same process for each
	 */
	record Cost(String action, int times, double byServer, double byWorkers) {
	}

	Costs(LifeContext life, ServerMeter meter, Writing writing, List<LifeUser> users, List<Room> rooms, int times) {
		this.life = life;
		this.meter = meter;
		this.writing = writing;
		this.pairs = pairs(users, rooms, times);
	}

	/**
	 * Chooses rooms with few members, and other users for each.
	 */
	private static List<Pair> pairs(List<LifeUser> users, List<Room> rooms, int most) {
		List<Pair> pairs = new ArrayList<>();
		Set<Integer> taken = new HashSet<>();
		for (Room room : rooms) {
			int writer = room.members().getFirst();
			int reader = room.members().getLast();
			if (pairs.size() < most && writer != reader && !taken.contains(writer) && !taken.contains(reader)) {
				taken.addAll(List.of(writer, reader));
				pairs.add(new Pair(users.get(writer), users.get(reader), room.id()));
			}
		}
		return pairs;
	}

	/**
	 * Measures each action. All users must be live.
	 * @return the costs; empty when the server does not count its statements
	 */
	List<Cost> measure() {
		if (!this.meter.read().hasStatements()) {
			return List.of();
		}
		// The requests of those who connected last may still be under way.
		do {
			Waiting.until(QUIET, () -> this.life.rest.underWay() == 0);
			Waiting.pass(SETTLE);
		}
		while (this.life.rest.underWay() > 0 && !Interrupt.requested());
		Counters before = this.meter.read();
		Waiting.pass(IDLE);
		this.idle = this.meter.read().since(before);
		List<Cost> costs = new ArrayList<>();
		costs.add(new Cost("nothing, for one second", 1, this.idle.byServer() / this.idle.seconds(),
				this.idle.byWorkers() / this.idle.seconds()));
		costs.add(cost("GET /api/rooms", (pair) -> pair.reader.run((tokens) -> this.life.rest.rooms(tokens))));
		costs.add(cost("GET /api/rooms/{room}",
				(pair) -> pair.reader.run((tokens) -> this.life.rest.details(tokens, pair.room))));
		costs.add(cost("newest page of a room",
				(pair) -> pair.reader.run((tokens) -> this.life.rest.newest(tokens, pair.room))));
		costs.add(cost("message", SETTLE_MESSAGES, (pair) -> this.writing.sendUncounted(pair.writer, pair.room)));
		costs.add(cost("reaction", SETTLE_MESSAGES, (pair) -> pair.reader.react(pair.room, ":+1:", true)));
		costs.add(cost("edit", SETTLE_MESSAGES, (pair) -> pair.writer.edit()));
		costs.add(cost("reply in a thread", SETTLE_MESSAGES,
				(pair) -> this.writing.replyUncounted(pair.writer, pair.room)));
		costs.add(cost("read marker", (pair) -> pair.reader.mark(pair.room, pair.reader.rooms().position(pair.room))));
		costs.add(cost("typing signal", (pair) -> pair.writer.type(pair.room)));
		costs.add(cost("reconnect, frames only", (pair) -> reconnect(pair.reader, false)));
		costs.add(cost("reconnect, as the page does it", (pair) -> reconnect(pair.reader, true)));
		return costs;
	}

	private void reconnect(LifeUser user, boolean loads) {
		user.reconnect(loads);
		if (!Waiting.until(LIVE, user::isLive)) {
			this.life.measures.all.error("not live again after 30 s, while costs were measured");
		}
	}

	private Cost cost(String action, Consumer<Pair> once) {
		return cost(action, SETTLE, once);
	}

	private Cost cost(String action, Duration settle, Consumer<Pair> once) {
		Counters before = this.meter.read();
		for (Pair pair : this.pairs) {
			if (!Interrupt.requested()) {
				once.accept(pair);
				Waiting.pass(PAUSE);
			}
		}
		Waiting.pass(settle);
		Growth growth = this.meter.read().since(before).above(this.idle);
		int times = this.pairs.size();
		return new Cost(action, times, growth.byServer() / times, growth.byWorkers() / times);
	}

}
