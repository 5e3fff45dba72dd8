package io.parley.notification;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadRepository;
import io.parley.store.thread.ThreadStanding;

/**
 * Finds who follows threads: those whom the store has, and those who take part because of
 * the replies that are planned, which may not be stored yet.
 */
class ThreadFollowers {

	private final ThreadRepository threads;

	ThreadFollowers(ThreadRepository threads) {
		this.threads = threads;
	}

	/**
	 * Returns the followers of threads. Some of them may have left the room.
	 * @param replies the replies that are planned, by thread
	 */
	Map<RoomPosition, Set<String>> of(Map<RoomPosition, List<PositionedMessage>> replies) {
		Map<RoomPosition, Map<String, ThreadStanding>> stored = this.threads.standingsIn(replies.keySet());
		Map<RoomPosition, Set<String>> followers = new HashMap<>();
		replies.forEach((root, ofThread) -> {
			Map<String, ThreadStanding> standings = new HashMap<>(stored.getOrDefault(root, Map.of()));
			for (PositionedMessage reply : ofThread) {
				if (!reply.isEdit()) {
					add(standings, reply.sender(), reply.position());
				}
				reply.participants().forEach((user) -> add(standings, user, root.position()));
			}
			Set<String> users = new HashSet<>();
			standings.forEach((user, standing) -> {
				if (standing.follows()) {
					users.add(user);
				}
			});
			followers.put(root, users);
		});
		return followers;
	}

	private static void add(Map<String, ThreadStanding> standings, String user, long position) {
		standings.merge(user, ThreadStanding.NONE.withReply(position),
				(standing, added) -> standing.withReply(position));
	}

}
