package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.parley.conformance.Crowd.expectCount;
import static io.parley.conformance.Crowd.isAbout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A join of a large room is no event that the other server reads: it gets signals. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersLargeRoomTests {

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	private final TwoServers both = servers.get();

	private String channel(String owner) {
		return Crowd.channel(this.both.one(), this.both.database(), owner, 1_000);
	}

	@Test
	void whoJoinsOnOneMayWriteOnTheOther() {
		String room = channel("large1");
		try (StompConnection here = this.both.one().connect("large1");
				StompConnection there = this.both.two().connect("large1");
				StompConnection bert = this.both.two().connectWithEvents("bert")) {
			Crowd.follow(here, room);
			Crowd.follow(there, room);
			Map<String, String> topic = Map.of("id", "s", "destination", "/topic/rooms." + room);
			assertThat(bert.expectError("SUBSCRIBE", topic, "").path("code").asString()).isEqualTo("not-a-member");
			this.both.one().user("bert").join(room, "bert").expect(201);
			bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			bert.follow("s", room);
			bert.expectReceipt(bert.say(room, "c", "text"));
			for (StompConnection owner : List.of(here, there)) {
				owner.expectMessage("s", "c");
				expectCount(owner, room, 1_001);
			}
			this.both.two().user("bert").leave(room, "bert").expect(204);
			for (StompConnection owner : List.of(here, there)) {
				owner.expectEvent("s", (event) -> isAbout(event, "member.left", room));
				expectCount(owner, room, 1_000);
				assertThat(Crowd.types(owner)).containsExactly("message.posted", "member.left");
			}
		}
	}

	@Test
	void theLastCountIsRightOnBoth() throws Exception {
		String room = channel("large2");
		List<ChatApi> users = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			users.add(this.both.one().user("here" + i));
			users.add(this.both.two().user("there" + i));
		}
		try (StompConnection here = this.both.one().connect("large2");
				StompConnection there = this.both.two().connect("large2")) {
			List<StompConnection> owners = List.of(here, there);
			owners.forEach((owner) -> Crowd.follow(owner, room));
			try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
				List<Future<ChatApi.Answer>> joins = new ArrayList<>();
				users.forEach((user) -> joins.add(threads.submit(() -> user.join(room, user.name()))));
				for (Future<ChatApi.Answer> join : joins) {
					join.get().expect(201);
				}
			}
			for (StompConnection owner : owners) {
				await().until(() -> !Crowd.counts(owner).isEmpty() && Crowd.counts(owner).getLast() == 1_040);
				assertThat(Crowd.counts(owner)).hasSizeLessThan(20);
			}
		}
	}

}
