package io.parley.server.hook;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.events.RoomEvent;
import io.parley.server.error.ErrorCode;
import io.parley.server.hook.HookClient.Answer;
import io.parley.server.hook.HookClient.FailedCallException;
import io.parley.server.hook.HookProperties.OnFailure;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Asks a program of the operator, over HTTP, whether a message or an edit may be
 * accepted. Does nothing if no program is configured. Safe for use by many threads.
 */
@Component
public class MessageHook {

	private static final Logger log = LoggerFactory.getLogger(MessageHook.class);

	private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final int MAX_REASON = 200;

	private final @Nullable HookClient client;

	private final OnFailure onFailure;

	private final Map<HookOutcome, Timer> timers = new EnumMap<>(HookOutcome.class);

	private final AtomicLong failures = new AtomicLong();

	private final AtomicLong warnedAt = new AtomicLong(System.nanoTime() - WARN_EVERY_NANOS);

	MessageHook(HookProperties properties, MeterRegistry meters) {
		String url = properties.url();
		this.client = (url != null && !url.isBlank()) ? new HookClient(url, properties) : null;
		this.onFailure = properties.onFailure();
		if (this.client != null) {
			for (HookOutcome outcome : HookOutcome.values()) {
				this.timers.put(outcome,
						Timer.builder("chat.messages.hook").tag("outcome", outcome.tag()).register(meters));
			}
		}
	}

	/** Returns whether a program is configured. */
	public boolean isOn() {
		return this.client != null;
	}

	/**
	 * Requires that an event may be accepted. Blocks until the program has answered, at
	 * most for {@code chat.messages.hook.deadline}.
	 * @throws io.parley.server.error.ChatException {@code message-refused} with the
	 * reason of the program; {@code check-unavailable} if there is no valid answer and
	 * such messages are to be refused
	 */
	public void check(RoomEvent event) {
		HookClient program = this.client;
		if (program == null) {
			return;
		}
		long start = System.nanoTime();
		try {
			Answer answer = program.ask(event);
			record(answer.allow() ? HookOutcome.ALLOWED : HookOutcome.REFUSED, start);
			if (!answer.allow()) {
				throw ErrorCode.MESSAGE_REFUSED.because(reason(answer.reason()));
			}
		}
		catch (FailedCallException ex) {
			record(ex.outcome(), start);
			warn(program, ex);
			if (this.onFailure == OnFailure.REFUSE) {
				throw ErrorCode.CHECK_UNAVAILABLE.because(
						"The message was not accepted, because it can't be checked now; send it again in a moment.");
			}
		}
	}

	private void record(HookOutcome outcome, long start) {
		Timer timer = this.timers.get(outcome);
		if (timer != null) {
			timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
		}
	}

	/** Returns one line of limited length, whatever the program answers. */
	private static String reason(@Nullable String reason) {
		String line = (reason != null) ? reason.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\s]+", " ").strip() : "";
		if (line.isEmpty()) {
			return "The message was refused.";
		}
		return (line.length() > MAX_REASON) ? line.substring(0, MAX_REASON) + "…" : line;
	}

	/** Logs failures at most every 10 seconds. */
	private void warn(HookClient program, FailedCallException failure) {
		this.failures.incrementAndGet();
		long now = System.nanoTime();
		long last = this.warnedAt.get();
		if (now - last >= WARN_EVERY_NANOS && this.warnedAt.compareAndSet(last, now)) {
			log.warn("{} messages were {} without an answer of the hook {}: {}", this.failures.getAndSet(0),
					(this.onFailure == OnFailure.REFUSE) ? "refused" : "accepted", program.address(),
					failure.getMessage());
		}
	}

	@PreDestroy
	void close() {
		if (this.client != null) {
			this.client.close();
		}
	}

}
