package io.parley.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how a client that was away for long gets what has changed. */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.history.tail=64KB", "chat.history.replay=100",
		"chat.limits.rooms-per-minute=0", "chat.limits.subscribes-per-second=0" })
class ChangedAfterTests {

	private final ChatServer server;

	ChangedAfterTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void aResumedClientEndsInTheStateOfTheView() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		List<Long> old = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			old.add(anna.say(room, "old" + i, "text " + i));
		}
		MessageCopy copy = new MessageCopy().views(anna.view(room, "&limit=200"));
		long last = anna.history(room, "?limit=1").getLast().path("position").asLong();
		Set<Long> changed = new HashSet<>();
		for (int i = 0; i < 300; i++) {
			long target = anna.say(room, "new" + i, "text");
			if (i % 6 == 0) {
				target = old.get(i % 60);
			}
			if (i % 3 == 0) {
				if (anna.edit(room, target, "e" + i, "edit " + i).status() == 202) {
					changed.add(target);
				}
			}
			if (i % 60 == 30) {
				anna.deleteMessage(room, target).expect(202);
				changed.add(target);
			}
		}
		try (StompConnection bert = this.server.connect("bert")) {
			assertThat(bert.follow("s", room, last).path("recovered").asBoolean()).isFalse();
			List<JsonNode> changes = changedAfter(anna, room, last, 7);
			assertThat(Chain.positions(changes)).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(changed);
			assertThat(changes).extracting((view) -> view.path("changed").asLong()).isSorted();
			copy.views(changes);
			anna.edit(room, old.get(7), "live", "live").expect(202);
			bert.expectEvent("s", (event) -> event.path("clientId").asString("").equals("live"));
			copy.events(bert.events("s"));
		}
		List<JsonNode> view = new ArrayList<>();
		for (List<JsonNode> page = anna.view(room, "&limit=200&after=0"); !page.isEmpty(); page = anna.view(room,
				"&limit=200&after=" + view.getLast().path("position").asLong())) {
			view.addAll(page);
		}
		MessageCopy fresh = new MessageCopy().views(view);
		assertThat(view).hasSize(360);
		copy.messages().forEach((position, message) -> assertThat(fresh.messages().get(position)).isEqualTo(message));
		assertThat(copy.messages().keySet()).containsAll(old);
		assertThat(view).extracting((message) -> message.path("number").asInt()).startsWith(1, 2).endsWith(359, 360);
	}

	private static List<JsonNode> changedAfter(ChatApi user, String room, long position, int limit) {
		List<JsonNode> changes = new ArrayList<>();
		long after = position;
		List<JsonNode> page = user.view(room, "&limit=" + limit + "&changedAfter=" + after);
		while (!page.isEmpty()) {
			assertThat(page).hasSizeLessThanOrEqualTo(limit);
			changes.addAll(page);
			after = page.getLast().path("changed").asLong();
			page = user.view(room, "&limit=" + limit + "&changedAfter=" + after);
		}
		return changes;
	}

	@Test
	void numbersTheMessages() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long one = anna.say(room, "c1", "text");
		long two = anna.say(room, "c2", "text");
		anna.edit(room, two, "e2", "edit").expect(202);
		anna.edit(room, one, "e1", "edit").expect(202);
		assertThat(anna.view(room, "&changedAfter=0")).extracting((view) -> view.path("number").asInt())
			.containsExactly(2, 1);
		assertThat(anna.view(room, "&changedAfter=0&limit=1")).extracting((view) -> view.path("position").asLong())
			.containsExactly(two);
	}

}
