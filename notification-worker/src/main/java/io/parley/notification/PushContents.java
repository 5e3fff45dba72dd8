package io.parley.notification;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.parley.events.MessagePosted;
import io.parley.store.event.MessageRange;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.MessageStateRepository.Changes;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.StoredEvent;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushTask;

/**
 * Reads what due tasks show: the current text of the newest message, and no deleted ones.
 * A change that is not stored yet is not known here.
 */
class PushContents {

	private final MessageStateRepository states;

	private final RoomEventRepository events;

	PushContents(MessageStateRepository states, RoomEventRepository events) {
		this.states = states;
		this.events = events;
	}

	/**
	 * Returns the tasks as devices show them. Those whose messages are all deleted are
	 * missing.
	 */
	Map<PushKey, PushTask> shown(Collection<PushTask> tasks) {
		Map<MessageRange, Changes> changes = this.states
			.changesIn(tasks.stream().map(PushContents::range).collect(Collectors.toSet()));
		Map<PushKey, PushTask> shown = new HashMap<>();
		tasks.forEach((task) -> shown.put(task.key(), task));
		List<PushTask> changed = tasks.stream().filter((task) -> changes.containsKey(range(task))).toList();
		Map<MessageRange, StoredEvent> newest = this.events
			.newestIn(changed.stream().map(PushContents::range).toList());
		for (PushTask task : changed) {
			Changes ofTask = changes.getOrDefault(range(task), new Changes(0, false));
			StoredEvent message = newest.get(range(task));
			if (message != null && (ofTask.lastDeleted() || message.position() == task.lastPosition())) {
				MessagePosted posted = (MessagePosted) message.record().event();
				shown.put(task.key(),
						task.showing(posted.sender(), TaskPlanner.start(posted.text()), ofTask.deleted()));
			}
			else if (ofTask.lastDeleted()) {
				shown.remove(task.key());
			}
			else {
				// The newest message is not stored yet.
				shown.put(task.key(), task.showing(task.sender(), task.text(), ofTask.deleted()));
			}
		}
		return shown;
	}

	private static MessageRange range(PushTask task) {
		return new MessageRange(task.room(), task.firstPosition(), task.lastPosition(), task.username(), task.thread());
	}

}
