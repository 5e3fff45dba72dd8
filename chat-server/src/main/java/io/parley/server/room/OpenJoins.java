package io.parley.server.room;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.parley.store.room.MemberRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores the joins of users to open channels. Users who join a room at the same time
 * share a transaction: the database locks the room once for all of them, and a rush into
 * a room takes one connection. Safe for use by many threads.
 */
@Component
class OpenJoins {

	private static final int MAX_IN_TRANSACTION = 200;

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final Memberships memberships;

	private final MemberAccounts accounts;

	private final TransactionTemplate transaction;

	private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

	OpenJoins(RoomRepository rooms, MemberRepository members, Memberships memberships, MemberAccounts accounts,
			TransactionTemplate transaction) {
		this.rooms = rooms;
		this.members = members;
		this.memberships = memberships;
		this.accounts = accounts;
		this.transaction = transaction;
	}

	/**
	 * The users who wait to join one room, in their order. Whoever holds the lock stores
	 * the first of them.
	 */
	private static final class Line {

		private final ReentrantLock lock = new ReentrantLock();

		private final Queue<Join> waiting = new ConcurrentLinkedQueue<>();

	}

	/** The join of a user. */
	private static final class Join {

		private final String user;

		/** Returns the result or throws; null until it is known. */
		private @Nullable Supplier<JoinResult> answer;

		Join(String user) {
			this.user = user;
		}

	}

	/**
	 * Makes the user a member. Waits for those who came first.
	 * @throws io.parley.server.error.ChatException if the user may not join
	 */
	JoinResult join(String room, String user) {
		Join own = new Join(user);
		Line line = this.lines.compute(room, (id, present) -> {
			Line entered = (present != null) ? present : new Line();
			entered.waiting.add(own);
			return entered;
		});
		line.lock.lock();
		try {
			while (own.answer == null) {
				storeFirst(room, line.waiting);
			}
		}
		finally {
			line.lock.unlock();
			this.lines.computeIfPresent(room, (id, present) -> present.waiting.isEmpty() ? null : present);
		}
		return own.answer.get();
	}

	private void storeFirst(String room, Queue<Join> waiting) {
		List<Join> first = new ArrayList<>();
		for (Join join = waiting.poll(); join != null; join = waiting.poll()) {
			first.add(join);
			if (first.size() == MAX_IN_TRANSACTION) {
				break;
			}
		}
		try {
			List<String> users = first.stream().map((join) -> join.user).toList();
			Iterator<Supplier<JoinResult>> answers = this.transaction.execute((status) -> store(room, users))
				.iterator();
			first.forEach((join) -> join.answer = answers.next());
		}
		catch (RuntimeException | Error ex) {
			Supplier<JoinResult> failure = () -> {
				throw ex;
			};
			first.forEach((join) -> join.answer = failure);
			// The others would wait as long for the same failure.
			for (Join join = waiting.poll(); join != null; join = waiting.poll()) {
				join.answer = failure;
			}
		}
	}

	/** Does not lock the room for users who are members or cannot become members. */
	private List<Supplier<JoinResult>> store(String room, List<String> users) {
		Set<String> present = new HashSet<>(this.members.membersAmong(room, users));
		Set<String> existing = this.accounts.existingAmong(users);
		Optional<Room> found = this.rooms.findById(room).filter(Room::isOpen);
		List<String> candidates = users.stream()
			.filter((user) -> !present.contains(user) && existing.contains(user))
			.toList();
		Iterator<Joining> joined = found.filter((open) -> !open.isFull() && !candidates.isEmpty())
			.map((open) -> this.memberships.joinAll(room, candidates, RoomChanges.now()))
			.orElse(List.of())
			.iterator();
		List<Supplier<JoinResult>> answers = new ArrayList<>();
		for (String user : users) {
			if (present.contains(user)) {
				answers.add(() -> JoinResult.ALREADY_MEMBER);
			}
			else if (found.isEmpty()) {
				answers.add(() -> {
					throw JoinRefusals.notFound(room);
				});
			}
			else if (!existing.contains(user)) {
				answers.add(() -> {
					throw MemberAccounts.notFound(user);
				});
			}
			else {
				Joining joining = joined.hasNext() ? joined.next() : Joining.FULL_OR_ABSENT;
				answers.add(
						() -> JoinResult.of(found.get(), JoinRefusals.requireMember(joining, found.get(), user, true)));
			}
		}
		return answers;
	}

}
