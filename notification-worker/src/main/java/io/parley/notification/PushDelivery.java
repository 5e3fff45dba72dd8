package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import io.parley.notification.TaskDecisions.Send;
import io.parley.notification.provider.PushAnswer;
import io.parley.notification.provider.PushMessage;
import io.parley.notification.provider.PushProvider;
import io.parley.notification.provider.PushTarget;
import io.parley.store.push.Device;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository.Retry;

/**
 * Sends decided pushes to the provider, once for each device, and converts the answers
 * into results to be stored.
 */
class PushDelivery {

	private static final Duration MAX_DELAY = Duration.ofMinutes(10);

	private static final int MAX_DOUBLINGS = 20;

	private final PushProvider provider;

	private final Badges badges;

	private final PushProperties properties;

	PushDelivery(PushProvider provider, Badges badges, PushProperties properties) {
		this.provider = provider;
		this.badges = badges;
		this.properties = properties;
	}

	/**
	 * The result of a batch.
	 *
	 * @param ended tasks with nothing left to do
	 * @param gone devices to be removed
	 * @param failed whether every device has to be retried
	 */
	record Result(List<PushTask> ended, List<Retry> retries, List<PushLogEntry> entries, List<Device> gone,
			boolean failed) {
	}

	private record Address(PushTask task, Device device, PushMessage message) {
	}

	/** Sends the pushes and waits for the answers of the provider. */
	Result deliver(List<Send> sends, Instant now) {
		List<Address> addresses = addresses(sends, now);
		Map<PushTask, Outcomes> outcomes = new HashMap<>();
		boolean failed = !addresses.isEmpty();
		for (int from = 0; from < addresses.size(); from += PushProvider.MAX_BATCH) {
			List<Address> batch = addresses.subList(from, Math.min(from + PushProvider.MAX_BATCH, addresses.size()));
			List<PushAnswer> answers = this.provider.push(batch.stream().map(Address::message).toList());
			for (int i = 0; i < batch.size(); i++) {
				PushAnswer answer = answers.get(i);
				failed &= answer.kind() == PushAnswer.Kind.RETRY;
				outcomes.computeIfAbsent(batch.get(i).task(), (task) -> new Outcomes()).add(batch.get(i), answer);
			}
		}
		Result result = new Result(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), failed);
		outcomes.forEach((task, ofTask) -> ofTask.addTo(result, task, this));
		return result;
	}

	private List<Address> addresses(List<Send> sends, Instant now) {
		Map<String, Long> unread = this.badges.unread(sends.stream()
			.filter((send) -> send.devices().stream().anyMatch((device) -> device.platform() == Device.Platform.IOS))
			.map((send) -> send.task().username())
			.collect(Collectors.toSet()), now);
		List<Address> addresses = new ArrayList<>();
		for (Send send : sends) {
			PushTask task = send.task();
			for (Device device : send.devices()) {
				addresses.add(new Address(task, device,
						new PushMessage(new PushTarget(device.kind(), device.token(), device.platform()),
								task.username(), task.room(), send.roomName(), send.shown().sender(),
								send.shown().text(), task.lastPosition(), send.shown().messagesFor(device.id()),
								task.mentioned(), unread.getOrDefault(task.username(), 0L),
								Duration.between(now, task.expiresAt()), task.thread())));
			}
		}
		return addresses;
	}

	/** The answers of the devices of one task. */
	private static final class Outcomes {

		private final Set<String> failed = new HashSet<>();

		private final List<PushLogEntry> entries = new ArrayList<>();

		private final List<Device> gone = new ArrayList<>();

		private Duration retryAfter = Duration.ZERO;

		private void add(Address address, PushAnswer answer) {
			switch (answer.kind()) {
				case SENT -> note(address, Outcome.SENT, answer);
				case REFUSED -> note(address, Outcome.REFUSED, answer);
				case GONE -> {
					this.gone.add(address.device());
					note(address, Outcome.GONE, answer);
				}
				case RETRY -> {
					this.failed.add(address.device().id());
					Duration asked = answer.retryAfter();
					if (asked != null && asked.compareTo(this.retryAfter) > 0) {
						this.retryAfter = asked;
					}
					note(address, Outcome.RETRIED, answer);
				}
			}
		}

		private void note(Address address, Outcome outcome, PushAnswer answer) {
			Device device = address.device();
			PushTask task = address.task();
			String id = device.id();
			this.entries.add(new PushLogEntry(task.username(), task.room(), task.firstPosition(), task.lastPosition(),
					Instant.now(), outcome, id.isEmpty() ? null : id, id.isEmpty() ? null : device.platform(),
					answer.detail(), task.thread()));
		}

		private void addTo(Result result, PushTask task, PushDelivery delivery) {
			result.entries().addAll(this.entries);
			result.gone().addAll(this.gone);
			if (this.failed.isEmpty()) {
				result.ended().add(task);
			}
			else if (delivery.properties.isLast(task.attempts() + 1)) {
				giveUp(result, task, Outcome.PARKED);
			}
			else {
				Duration delay = delivery.delay(task.attempts());
				Duration wait = (delay.compareTo(this.retryAfter) > 0) ? delay : this.retryAfter;
				Instant due = Instant.now().plus(wait);
				if (due.isBefore(task.expiresAt())) {
					result.retries().add(new Retry(task, this.failed, due));
				}
				else {
					giveUp(result, task, Outcome.EXPIRED);
				}
			}
		}

		private static void giveUp(Result result, PushTask task, Outcome outcome) {
			result.ended().add(task);
			result.entries()
				.add(new PushLogEntry(task.username(), task.room(), task.firstPosition(), task.lastPosition(),
						Instant.now(), outcome, null, null,
						"given up after " + (task.attempts() + 1) + " attempts; the last answers are above",
						task.thread()));
		}

	}

	/**
	 * Returns the delay before the next attempt. It doubles with each attempt, and half
	 * of it is random.
	 */
	private Duration delay(int attempts) {
		Duration delay = this.properties.retryDelay().multipliedBy(1L << Math.min(attempts, MAX_DOUBLINGS));
		long millis = Math.min(delay.toMillis(), MAX_DELAY.toMillis());
		return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
	}

}
