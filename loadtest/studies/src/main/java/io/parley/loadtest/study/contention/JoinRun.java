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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.parley.loadtest.study.contention.JoinTarget.Answer;

/**
 * One run: all users try to join one room at about the same time.
 *
 * @param millis duration of each request, ascending
 * @param joined number of users whose request was answered with success
 * @param full number of users whose request was answered with "full"
 * @param errors other answers, with their numbers
 * @param wrong descriptions of wrong answers
 */
record JoinRun(List<Double> millis, int joined, int full, Map<String, Integer> errors, List<String> wrong) {

	private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int LONGEST_TEXT = 80;

	private record Reply(int user, Answer answer, String text, long nanos) {
	}

	static JoinRun at(JoinTarget target, int users, int places, Duration within) throws Exception {
		String room = target.newRoom(places);
		List<Reply> replies = send(target, room, users, within);
		Set<Integer> joined = new HashSet<>();
		Map<String, Integer> errors = new TreeMap<>();
		int full = 0;
		for (Reply reply : replies) {
			switch (reply.answer()) {
				case JOINED -> joined.add(reply.user());
				case FULL -> full++;
				case ERROR -> errors.merge(reply.text(), 1, Integer::sum);
			}
		}
		return new JoinRun(replies.stream().map((reply) -> reply.nanos() / NANOS_PER_MILLI).sorted().toList(),
				joined.size(), full, errors, wrong(joined, target.members(room), places, full));
	}

	int failed() {
		return this.errors.values().stream().mapToInt(Integer::intValue).sum();
	}

	private static List<String> wrong(Set<Integer> joined, Set<Integer> members, int places, int full) {
		List<String> wrong = new ArrayList<>();
		if (members.size() > places) {
			wrong.add(members.size() + " members in " + places + " places");
		}
		long lost = joined.stream().filter((user) -> !members.contains(user)).count();
		if (lost > 0) {
			wrong.add(lost + " joins lost");
		}
		long unconfirmed = members.stream().filter((user) -> !joined.contains(user)).count();
		if (unconfirmed > 0) {
			wrong.add(unconfirmed + " members without a successful answer");
		}
		if (full > 0 && members.size() < places) {
			wrong.add("answered \"full\" with " + members.size() + " members in " + places + " places");
		}
		return wrong;
	}

	private static List<Reply> send(JoinTarget target, String room, int users, Duration within)
			throws InterruptedException {
		long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
		List<Callable<Reply>> requests = IntStream.range(0, users).<Callable<Reply>>mapToObj((user) -> {
			long at = start + within.toNanos() * user / users;
			return () -> send(target, target.joining(room, user), user, at);
		}).toList();
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			return executor.invokeAll(requests).stream().map(Future::resultNow).toList();
		}
	}

	private static Reply send(JoinTarget target, HttpRequest request, int user, long at) throws InterruptedException {
		for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		long begun = System.nanoTime();
		try {
			HttpResponse<String> response = target.send(request);
			long nanos = System.nanoTime() - begun;
			String text = response.statusCode() + " " + response.body();
			return new Reply(user, target.read(response), text.substring(0, Math.min(LONGEST_TEXT, text.length())),
					nanos);
		}
		catch (IOException ex) {
			return new Reply(user, Answer.ERROR, ex.toString(), System.nanoTime() - begun);
		}
	}

}
