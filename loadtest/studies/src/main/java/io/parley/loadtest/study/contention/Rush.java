package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.study.contention.Arena.Answer;

/**
 * One run: all users try to join one room at about the same time.
 *
 * @param millis duration of each request, ascending
 * @param joined number of users whose request was answered with success
 * @param full number of users whose request was answered with "full"
 * @param errors other answers, with their numbers
 * @param wrong descriptions of wrong answers
 */
record Rush(List<Double> millis, int joined, int full, Map<String, Integer> errors, List<String> wrong) {

	private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int LONGEST_TEXT = 80;

	private record Shot(int user, Answer answer, String error, long nanos) {
	}

	/**
	 * Runs all requests, and then compares the answers with the members.
	 */
	static Rush at(Arena arena, int users, int places, Duration within) throws Exception {
		String room = arena.newRoom(places);
		List<Shot> shots = send(arena, room, users, within);
		Set<Integer> succeeded = new HashSet<>();
		Map<String, Integer> errors = new TreeMap<>();
		for (Shot shot : shots) {
			if (shot.answer() == Answer.JOINED) {
				succeeded.add(shot.user());
			}
			if (shot.answer() == Answer.ERROR) {
				errors.merge(shot.error(), 1, Integer::sum);
			}
		}
		int full = (int) shots.stream().filter((shot) -> shot.answer() == Answer.FULL).count();
		return new Rush(shots.stream().map((shot) -> shot.nanos() / NANOS_PER_MILLI).sorted().toList(),
				succeeded.size(), full, errors, wrong(succeeded, arena.members(room), places, full));
	}

	int failed() {
		return this.errors.values().stream().mapToInt(Integer::intValue).sum();
	}

	/**
	 * Compares the answers with the members.
	 */
	private static List<String> wrong(Set<Integer> succeeded, Set<Integer> members, int places, int full) {
		List<String> wrong = new ArrayList<>();
		if (members.size() > places) {
			wrong.add(members.size() + " members in " + places + " places");
		}
		long lost = succeeded.stream().filter((user) -> !members.contains(user)).count();
		if (lost > 0) {
			wrong.add(lost + " joins lost");
		}
		long unconfirmed = members.stream().filter((user) -> !succeeded.contains(user)).count();
		if (unconfirmed > 0) {
			wrong.add(unconfirmed + " members without a successful answer");
		}
		if (full > 0 && members.size() < places) {
			wrong.add("answered \"full\" with " + members.size() + " members in " + places + " places");
		}
		return wrong;
	}

	private static List<Shot> send(Arena arena, String room, int users, Duration within) throws InterruptedException {
		long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
		List<Future<Shot>> pending = new ArrayList<>();
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int n = 0; n < users; n++) {
				int user = n;
				long at = start + within.toNanos() * n / users;
				pending.add(executor.submit(() -> send(arena, arena.joining(room, user), user, at)));
			}
			List<Shot> shots = new ArrayList<>();
			for (Future<Shot> shot : pending) {
				shots.add(shot.get());
			}
			return shots;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Shot send(Arena arena, HttpRequest request, int user, long at) throws InterruptedException {
		for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		long begun = System.nanoTime();
		try {
			HttpResponse<String> response = arena.send(request);
			long nanos = System.nanoTime() - begun;
			Answer answer = arena.read(response);
			String text = response.statusCode() + " " + response.body();
			return new Shot(user, answer, text.substring(0, Math.min(LONGEST_TEXT, text.length())), nanos);
		}
		catch (IOException ex) {
			return new Shot(user, Answer.ERROR, ex.toString(), System.nanoTime() - begun);
		}
	}

}
