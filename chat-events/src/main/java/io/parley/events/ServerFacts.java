package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * What only servers read of an event: all changes of reactions, the author of the root of
 * a thread, or whom a message mentioned before an edit.
 */
final class ServerFacts {

	private ServerFacts() {
	}

	static byte[] of(RoomEvent event) {
		return switch (event) {
			case MessagePosted message when message.inThread() != null ->
				message.inThread().author().getBytes(StandardCharsets.UTF_8);
			case MessageEdited edit when edit.mentionedBefore() != null ->
				edit.mentionedBefore().json().getBytes(StandardCharsets.UTF_8);
			case ReactionChanged reactions -> reactionChanges(reactions.changes());
			default -> EventRecord.NO_FACTS;
		};
	}

	private static byte[] reactionChanges(List<Reaction.Change> changes) {
		return Json.MAPPER.writeValueAsBytes(changes.stream()
			.map((change) -> List.of(change.reaction().user(), change.reaction().key(), change.on()))
			.toList());
	}

	static List<Reaction.Change> reactionChanges(byte[] facts) {
		List<Reaction.Change> changes = new ArrayList<>();
		for (JsonNode change : Json.parse(facts, "facts")) {
			changes.add(new Reaction.Change(new Reaction(string(change.path(0)), string(change.path(1))),
					change.path(2).asBoolean(false)));
		}
		return changes;
	}

	static Mentions mentionedBefore(byte[] facts) {
		return Mentions.parse(new String(facts, StandardCharsets.UTF_8));
	}

	private static String string(JsonNode node) {
		return Json.required(node.stringValue(null), "facts");
	}

}
