package io.parley.notification;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.notification.TaskDecisions.Send;
import io.parley.store.event.MessageRange;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.StoredEvent;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository.Retry;
import io.parley.trace.MessageTracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Records pushes in the trace of the newest message of each. Reads the ids of these
 * messages, which tasks do not have: one more query for each batch, if messages are
 * traced.
 */
class PushTraces {

	private static final Logger logger = LoggerFactory.getLogger(PushTraces.class);

	private final MessageTracer traces;

	private final RoomEventRepository events;

	PushTraces(MessageTracer traces, RoomEventRepository events) {
		this.traces = traces;
		this.events = events;
	}

	/**
	 * Records a batch. Leaves out messages that are not stored yet. Never fails.
	 * @param started when the pushes were passed to the provider
	 * @param ended when it had answered
	 */
	void record(List<Send> sends, PushDelivery.Result result, Instant started, Instant ended) {
		if (!this.traces.isOn() || sends.isEmpty()) {
			return;
		}
		try {
			Set<PushTask> retried = result.retries().stream().map(Retry::task).collect(Collectors.toSet());
			Map<MessageRange, StoredEvent> messages = this.events
				.newestIn(sends.stream().map(PushTraces::newest).collect(Collectors.toSet()));
			for (Send send : sends) {
				StoredEvent message = messages.get(newest(send));
				if (message != null) {
					this.traces.pushed(message.record(), message.position(), started, ended, send.devices().size(),
							retried.contains(send.task()));
				}
			}
		}
		catch (DataAccessException ex) {
			logger.debug("{} pushes are missing in traces", sends.size(), ex);
		}
	}

	private static MessageRange newest(Send send) {
		PushTask task = send.task();
		return new MessageRange(task.room(), task.lastPosition(), task.lastPosition(), task.username(), task.thread());
	}

}
