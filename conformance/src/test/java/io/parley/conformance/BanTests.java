package io.parley.conformance;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A user removed by another member stays out. */
@FanOut
@UnlimitedServer
class BanTests {

	private final ChatServer server;

	BanTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void keepsARemovedMemberOut() {
		String room = this.server.channel("anna", "bert", "cleo");
		this.server.user("anna").leave(room, "bert").expect(204);
		this.server.user("anna").leave(room, "bert").expect(204);
		assertRefused(this.server.user("bert").join(room, "bert"));
		assertRefused(this.server.user("cleo").join(room, "bert"));
		assertThat(this.server.user("bert").get("/api/rooms/" + room).expect(403).code()).isEqualTo("not-a-member");
		assertThat(this.server.user("anna").history(room, "")).hasSize(2);
	}

	@Test
	void isLiftedWhenTheOwnerAddsTheUser() {
		String room = this.server.channel("anna", "bert");
		this.server.user("anna").leave(room, "bert").expect(204);
		this.server.user("anna").join(room, "bert").expect(201);
		this.server.user("bert").leave(room, "bert").expect(204);
		this.server.user("bert").join(room, "bert").expect(201);
	}

	@Test
	void doesNotFollowFromLeaving() {
		String room = this.server.channel("anna", "bert");
		this.server.user("bert").leave(room, "bert").expect(204);
		this.server.user("bert").join(room, "bert").expect(201);
	}

	@Test
	void cannotBeEscapedByLeavingFirst() {
		String room = this.server.channel("anna", "bert");
		this.server.user("bert").leave(room, "bert").expect(204);
		this.server.user("anna").leave(room, "bert").expect(204);
		assertRefused(this.server.user("bert").join(room, "bert"));
	}

	@Test
	void cannotBeSetByANonMember() {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").leave(room, "anna").expect(204);
		assertThat(this.server.user("anna").leave(room, "bert").expect(403).code()).isEqualTo("not-a-member");
		this.server.user("bert").get("/api/rooms/" + room).expect(200);
	}

	@Test
	void acceptsAnUnknownUsername() {
		String room = this.server.room("anna");
		this.server.user("anna").leave(room, "nobody-at-all").expect(204);
		this.server.user("anna").leave(room, "x".repeat(3_000)).expect(204);
	}

	@Test
	void cannotBeSeenInAGroup() {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").leave(room, "bert").expect(204);
		String absent = this.server.user("bert").join("AAAAAAAAAAAAAAAA", "bert").expect(404).response().body();
		assertThat(this.server.user("bert")
			.join(room, "bert")
			.expect(404)
			.response()
			.body()
			.replace(room, "AAAAAAAAAAAAAAAA")).isEqualTo(absent);
	}

	private static void assertRefused(ChatApi.Answer answer) {
		assertThat(answer.expect(403).code()).isEqualTo("not-allowed");
		assertThat(answer.body().path("detail").asString()).contains("removed from this room").doesNotContain("anna");
	}

}
