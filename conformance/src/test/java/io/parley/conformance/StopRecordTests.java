package io.parley.conformance;

import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.LaterBuild;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests a record that only a later build may process. It blocks its partition. */
@UnlimitedServer
@TestPropertySource(properties = "chat.log.partitions=2")
@ExtendWith(OutputCaptureExtension.class)
class StopRecordTests {

	private final ChatServer server;

	private final RoomLog log;

	StopRecordTests(ChatServer server, RoomLog log) {
		this.server = server;
		this.log = log;
	}

	@Test
	void blocksItsPartitionOnly(CapturedOutput output) {
		String blocked = this.server.room("anna", "bert");
		String other = roomInAnotherPartition(blocked);
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			bert.follow("blocked", blocked);
			bert.follow("other", other);
			this.log.append(partition(blocked), LaterBuild.stopping(blocked, "anna", "c0")).join();
			await().until(() -> output.getOut().contains("may only be read by a newer version of Parley"));
			anna.expectReceipt(anna.say(blocked, "c1", "text"));
			anna.expectReceipt(anna.say(other, "c2", "text"));
			bert.expectMessage("other", "c2");
			assertThat(bert.events("blocked")).extracting((event) -> event.path("type").asString())
				.containsExactly("subscribed");
		}
	}

	private String roomInAnotherPartition(String room) {
		String other = this.server.room("anna", "bert");
		return (partition(other) != partition(room)) ? other : roomInAnotherPartition(room);
	}

	private int partition(String room) {
		return RoomNames.partition(room, this.log.partitions());
	}

}
