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

/** Remembers what it was asked, and answers what it was told to; else it takes it. */
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

	/** What a device answers to the next messages. */
	void answer(String token, PushAnswer... answers) {
		this.answers.put(token, new ConcurrentLinkedQueue<>(List.of(answers)));
	}

	List<PushMessage> asked() {
		return this.asked;
	}

	/** The messages to the devices of one user. */
	List<PushMessage> asked(String username) {
		return this.asked.stream().filter((message) -> message.username().equals(username)).toList();
	}

	List<String> askedUsers() {
		return this.asked.stream().map(PushMessage::username).toList();
	}

}
