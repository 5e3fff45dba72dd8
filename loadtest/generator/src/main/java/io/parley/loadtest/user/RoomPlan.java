package io.parley.loadtest.user;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A room of a run, before it exists.
 *
 * @param members numbers of users; the first one opens the room
 */
public record RoomPlan(Kind kind, List<Integer> members) {

	/**
	 * Of 20 rooms of a user, so many are direct, so many channels, and the rest groups.
	 */
	private static final int DIRECT_OF_20 = 8;

	private static final int CHANNELS_OF_20 = 3;

	/**
	 * How quickly the number of rooms falls with their size: sizes follow k^-exponent.
	 */
	private static final double GROUP_EXPONENT = 2.4;

	private static final double CHANNEL_EXPONENT = 2;

	private static final int SMALLEST_GROUP = 3;

	private static final int LARGEST_GROUP = 30;

	private static final int SMALLEST_CHANNEL = 20;

	/** How quickly the share of the messages falls with the rank of a room. */
	private static final double RANK_EXPONENT = 1;

	/** How much more is sent to larger rooms. */
	private static final double SIZE_EXPONENT = 0.3;

	/** The kinds of rooms. */
	public enum Kind {

		DIRECT, GROUP, CHANNEL;

		/**
		 * Returns the name in the protocol.
		 */
		public String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Plans the rooms: each user gets nearly that number of rooms, most of them small,
	 * and one of the channels has all users. The same seed gives the same rooms.
	 */
	public static List<RoomPlan> of(int users, int roomsPerUser, long seed) {
		Random random = new Random(seed);
		List<RoomPlan> rooms = new ArrayList<>();
		int neighbours = Math.min(roomsPerUser * DIRECT_OF_20 / 20 / 2, (users - 1) / 2);
		for (int distance = 1; distance <= neighbours; distance++) {
			for (int user = 0; user < users; user++) {
				rooms.add(new RoomPlan(Kind.DIRECT, List.of(user, (user + distance) % users)));
			}
		}
		int channels = Math.max(1, roomsPerUser * CHANNELS_OF_20 / 20);
		rooms.add(new RoomPlan(Kind.CHANNEL, IntStream.range(0, users).boxed().toList()));
		int smallest = Math.min(SMALLEST_CHANNEL, users);
		deal(users, channels - 1, new Sizes(smallest, Math.max(smallest, users / 2), CHANNEL_EXPONENT), Kind.CHANNEL,
				random, rooms);
		int groups = Math.max(0, roomsPerUser - 2 * neighbours - channels);
		int few = Math.min(SMALLEST_GROUP, users);
		deal(users, groups, new Sizes(few, Math.max(few, Math.min(LARGEST_GROUP, users / 2)), GROUP_EXPONENT),
				Kind.GROUP, random, rooms);
		return rooms;
	}

	/**
	 * Sizes between two limits, inclusive, where size k is as frequent as k^-exponent.
	 */
	private record Sizes(int least, int most, double exponent) {

		int next(Random random) {
			double power = 1 - this.exponent;
			double tail = 1 - Math.pow((this.most + 1.0) / this.least, power);
			return Math.min(this.most, (int) (this.least * Math.pow(1 - random.nextDouble() * tail, 1 / power)));
		}

	}

	/**
	 * Deals places in rooms to users until nearly each user has so many.
	 */
	private static void deal(int users, int each, Sizes sizes, Kind kind, Random random, List<RoomPlan> rooms) {
		int[] left = new int[users];
		Arrays.fill(left, each);
		int[] open = IntStream.range(0, users).toArray();
		int count = (each > 0) ? users : 0;
		while (count >= sizes.least) {
			int size = Math.min(count, sizes.next(random));
			List<Integer> members = new ArrayList<>();
			for (int n = 0; n < size; n++) {
				int chosen = n + random.nextInt(count - n);
				int user = open[chosen];
				open[chosen] = open[n];
				open[n] = user;
				members.add(user);
			}
			rooms.add(new RoomPlan(kind, List.copyOf(members)));
			for (int n = size - 1; n >= 0; n--) {
				if (--left[open[n]] == 0) {
					open[n] = open[--count];
				}
			}
		}
	}

	/**
	 * Returns how busy each room is: a few rooms get most of the messages.
	 */
	public static List<Double> weights(List<Integer> sizes, long seed) {
		List<Integer> ranks = new ArrayList<>(IntStream.rangeClosed(1, sizes.size()).boxed().toList());
		Collections.shuffle(ranks, new Random(seed));
		return IntStream.range(0, sizes.size())
			.mapToObj((n) -> Math.pow(sizes.get(n), SIZE_EXPONENT) / Math.pow(ranks.get(n), RANK_EXPONENT))
			.toList();
	}

}
