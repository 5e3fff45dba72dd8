package io.parley.notification;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import io.parley.notification.provider.PushAnswer;
import io.parley.notification.provider.PushMessage;
import io.parley.notification.provider.PushProvider;

/** Records all messages and returns the answers set by the test, by default success. */
class RecordingProvider implements PushProvider {

	private final List<PushMessage> asked = new CopyOnWriteArrayList<>();

	private final Map<String, Queue<PushAnswer>> answers = new ConcurrentHashMap<>();

	@Override
	public List<PushAnswer> push(List<PushMessage> messages) {
		return messages.stream().map(this::push).toList();
	}

	private PushAnswer push(PushMessage message) {
		this.asked.add(message);
		PushAnswer answer = this.answers.getOrDefault(message.target().value(), new ConcurrentLinkedQueue<>()).poll();
		return (answer != null) ? answer : PushAnswer.sent("taken");
	}

	/** Sets the answers of a device to its next messages. */
	void answer(String token, PushAnswer... answers) {
		this.answers.put(token, new ConcurrentLinkedQueue<>(List.of(answers)));
	}

	List<PushMessage> asked() {
		return this.asked;
	}

	/** Returns the messages to the devices of one user. */
	List<PushMessage> asked(String username) {
		return this.asked.stream().filter((message) -> message.username().equals(username)).toList();
	}

	List<String> askedUsers() {
		return this.asked.stream().map(PushMessage::username).toList();
	}

}
