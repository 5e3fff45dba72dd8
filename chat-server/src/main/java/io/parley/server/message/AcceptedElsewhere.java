package io.parley.server.message;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;

import org.springframework.stereotype.Component;

/**
 * Sends {@code accepted} to the devices on this server whose user has posted through
 * another server. Each server reads the log, so that needs no signal between servers.
 * Safe for use by many threads.
 */
@Component
class AcceptedElsewhere implements TailListener {

	private static final int MAX_POSTED = 100_000;

	private static final Duration READ_BACK = Duration.ofMinutes(10);

	/**
	 * The ids of messages and changes posted through this server that were not read back
	 * yet. It is maintained by the callers, like all caches that each message changes: to
	 * wake another thread costs more.
	 */
	private final Cache<String, Boolean> postedHere = Caffeine.newBuilder()
		.executor(Runnable::run)
		.maximumSize(MAX_POSTED)
		.expireAfterWrite(READ_BACK)
		.build();

	private final UserEvents userEvents;

	AcceptedElsewhere(UserEvents userEvents) {
		this.userEvents = userEvents;
	}

	/** Records that this server sends {@code accepted} for a message itself. */
	void postedHere(String id) {
		this.postedHere.put(id, true);
	}

	/**
	 * Reverts {@link #postedHere}, because the append failed. If the message is in the
	 * log nevertheless, it is reported when it is read.
	 */
	void failedHere(String id) {
		this.postedHere.invalidate(id);
	}

	@Override
	public void onEvent(PositionedEvent event) {
		String clientId = event.record().clientId();
		if (clientId != null && this.postedHere.asMap().remove(event.record().id()) == null) {
			this.userEvents.sendHere(event.record().sender(),
					new Accepted(clientId, event.room(), event.position(), event.record().id()));
		}
	}

}
