package io.parley.loadtest.judge;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client sent, in the order in which its user wrote it.
 */
record Sent(Path file, List<Message> messages) {

	/**
	 * A message.
	 *
	 * @param line where it is first
	 * @param sender null if the file does not say
	 * @param content null if the file does not say
	 * @param accepted whether the client was told so
	 */
	record Message(int line, String clientId, @Nullable String sender, @Nullable Content content, boolean accepted) {

		private Message and(Message later) {
			return new Message(this.line, this.clientId, (this.sender != null) ? this.sender : later.sender,
					(this.content != null) ? this.content : later.content, this.accepted || later.accepted);
		}

	}

	/**
	 * Reads a file: lines {@code {"clientId","sender"?,"text"?,"accepted"?}}, or only the
	 * client id, followed by {@code accepted} when it was accepted. Several lines may be
	 * about one message.
	 * @throws io.parley.loadtest.cli.LoadTestException with the line that is wrong
	 */
	static Sent read(Path file) {
		Map<String, Message> messages = new LinkedHashMap<>();
		Lines.read(file, (line) -> {
			Message message = message(line);
			messages.merge(message.clientId(), message, Message::and);
		});
		return new Sent(file, List.copyOf(messages.values()));
	}

	private static Message message(Lines.Line line) {
		JsonNode object = line.json();
		if (object == null) {
			String[] words = line.text().strip().split("\\s+");
			if (words.length > 2 || (words.length == 2 && !words[1].equals("accepted"))) {
				throw line.wrong("is neither a JSON object, nor a client id, nor a client id and \"accepted\"");
			}
			return new Message(line.number(), words[0], null, null, words.length == 2);
		}
		String clientId = line.text(object, "clientId");
		if (clientId == null || clientId.isEmpty()) {
			throw line.wrong("has no clientId");
		}
		return new Message(line.number(), clientId, line.text(object, "sender"), Content.of(line, object),
				line.flag(object, "accepted"));
	}

}
