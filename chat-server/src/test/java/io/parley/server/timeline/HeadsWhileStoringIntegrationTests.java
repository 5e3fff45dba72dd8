package io.parley.server.timeline;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.persistence.PersistenceWorker;
import io.parley.server.database.Database;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;

import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The persistence-worker stores events, and memory forgets them, between the query of a
 * room's head and the look at memory.
 */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.history.tail=8KB", "chat.log.partitions=1" })
class HeadsWhileStoringIntegrationTests {

	private static final int MESSAGES = 30;

	private final ChatServer server;

	private final PersistenceWorker persistence;

	private final Tail tail;

	private final RoomHeadReader heads;

	private final Database database;

	@MockitoSpyBean
	private RoomEventRepository stored;

	HeadsWhileStoringIntegrationTests(ChatServer server, PersistenceWorker persistence, Tail tail, RoomHeadReader heads,
			Database database) {
		this.server = server;
		this.persistence = persistence;
		this.tail = tail;
		this.heads = heads;
		this.database = database;
	}

	@Test
	void missNothing() {
		String room = this.server.room("anna");
		long first = this.server.user("anna").say(room, "c0", "text");
		await().until(() -> this.persistence.lag() == 0);
		this.persistence.stop();
		long last = say(room);
		say(this.server.room("anna"));
		assertThat(this.tail.partition(room).after(room, 0).events()).as("memory has dropped them").isEmpty();
		assertThat(this.tail.partition(room).after(room, first).dropped()).hasSize(MESSAGES);
		AtomicBoolean queried = new AtomicBoolean();
		BDDMockito.willAnswer((call) -> {
			Object head = call.callRealMethod();
			if (!queried.compareAndSet(false, true)) {
				// The query of the worker.
				return head;
			}
			this.persistence.start();
			// The other queries show that the database answers.
			await().until(() -> this.database
				.query(() -> this.tail.partition(room).after(room, first).dropped().length == 0));
			return head;
		}).given(this.stored).heads(ArgumentMatchers.anyCollection());
		RoomHeadReader.Snapshot snapshot = this.heads.of(List.of(room));
		assertThat(snapshot.head(room)).isEqualTo(new RoomHead(last, MESSAGES + 1));
		RoomPosition before = new RoomPosition(room, last - 1);
		assertThat(snapshot.numbersAt(List.of(before))).containsEntry(before, (long) MESSAGES);
	}

	private long say(String room) {
		long last = 0;
		for (int i = 1; i <= MESSAGES; i++) {
			last = this.server.user("anna").say(room, "c" + i, "text");
		}
		return last;
	}

}
