package io.parley.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.parley.server.account.SignInsEnded;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A sign-in that ends on one server ends on the other one too. */
@Tag("exhaustive")
class TwoServersSignInTests {

	private static final int SIGNED_OUT = 4403;

	/**
	 * The protocol promises a second, or two when the signal is lost. Leaves time for a
	 * busy machine, and ends long before the caches of the server expire.
	 */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static final TwoServers servers = TwoServers.onBus();

	private final ChatServer one = servers.one();

	private final ChatServer two = servers.two();

	@AfterAll
	static void stop() {
		servers.close();
	}

	private ChatApi signIn(String user) {
		this.one.anonymous().register(user);
		return this.one.anonymous().login(user);
	}

	private static StompConnection connect(ChatServer server, ChatApi user) {
		return StompConnection.open(server).connect(user.token());
	}

	@Test
	void logoutClosesTheSocketOnTheOtherServerAndNothingIsDeliveredAfterwards() {
		ChatApi phone = signIn("anna");
		ChatApi laptop = this.one.anonymous().login("anna");
		String room = laptop.openGroup("room");
		try (StompConnection onOne = connect(this.one, phone);
				StompConnection onTwo = connect(this.two, phone);
				StompConnection other = connect(this.two, laptop)) {
			List.of(onOne, onTwo, other).forEach((session) -> session.follow("s", room));
			long start = System.nanoTime();
			phone.post("/api/auth/logout", Map.of()).expect(204);
			assertThat(onTwo.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
			assertThat(onOne.expectClosed()).isEqualTo(SIGNED_OUT);
			laptop.say(room, "c1", "after the end");
			other.expectMessage("s", "c1");
			assertThat(onOne.events("s")).noneMatch((event) -> event.path("clientId").asString("").equals("c1"));
			assertThat(onTwo.events("s")).noneMatch((event) -> event.path("clientId").asString("").equals("c1"));
			assertThat(other.isClosed()).isFalse();
		}
		refusedOn(this.one, phone);
		refusedOn(this.two, phone);
	}

	/**
	 * The database does not know of this end, so only the signal tells the other server.
	 */
	@Test
	void theSignalEndsIt() {
		ChatApi bert = signIn("bert");
		try (StompConnection onTwo = connect(this.two, bert)) {
			servers.publish(0, new SignInsEnded("bert", List.of(bert.signIn())));
			assertThat(onTwo.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(onTwo.closeReason()).isEqualTo("signed-out");
		}
		refusedOn(this.two, bert);
	}

	/** A third server has ended it, and its signal is lost. */
	@Test
	void theDatabaseEndsItWhenTheSignalIsLost() {
		ChatApi cleo = signIn("cleo");
		try (StompConnection onOne = connect(this.one, cleo); StompConnection onTwo = connect(this.two, cleo)) {
			long start = System.nanoTime();
			servers.database()
				.update("UPDATE sign_in SET ended_at = ?, reason = 'SIGNED_OUT' WHERE id = ?", UtcTime.now(),
						cleo.signIn());
			assertThat(onOne.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(onTwo.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
		}
		refusedOn(this.one, cleo);
		refusedOn(this.two, cleo);
	}

	@Test
	void aServerThatStartsAfterwardsRefusesItsTokens() {
		ChatApi dora = signIn("dora");
		assertThat(on(this.two, dora).get("/api/rooms").status()).isEqualTo(200);
		dora.post("/api/auth/logout", Map.of()).expect(204);
		servers.restart(1);
		refusedOn(servers.two(), dora);
	}

	@Test
	void reuseOnOneServerEndsTheSessionsOnBoth() {
		ChatApi erik = signIn("erik");
		String spent = erik.refreshToken();
		ChatApi next = on(this.two, erik).granted("erik", this.two.anonymous().refreshWith(spent).expect(200).body());
		next.refresh();
		try (StompConnection onTwo = connect(servers.two(), next)) {
			assertThat(this.one.anonymous().refreshWith(spent).expect(401).code()).isEqualTo("signed-out");
			assertThat(onTwo.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		assertThat(servers.two().anonymous().refreshWith(next.refreshToken()).status()).isEqualTo(401);
	}

	@Test
	void tokensAreRefreshedOnEitherServerInTurn() {
		ChatApi fay = signIn("fay");
		String token = fay.refreshToken();
		for (int i = 0; i < 6; i++) {
			ChatServer server = (i % 2 == 0) ? servers.two() : servers.one();
			token = server.anonymous().refreshWith(token).expect(200).body().path("refreshToken").asString();
		}
		assertThat(on(servers.two(), fay).get("/api/me/sign-ins").expect(200).body()).hasSize(1);
	}

	private static ChatApi on(ChatServer server, ChatApi user) {
		return new ChatApi(server, "x", user.token());
	}

	private static void refusedOn(ChatServer server, ChatApi user) {
		await().untilAsserted(
				() -> assertThat(on(server, user).get("/api/rooms").expect(401).code()).isEqualTo("signed-out"));
		assertThat(server.anonymous().refreshWith(user.refreshToken()).status()).isEqualTo(401);
		try (StompConnection late = StompConnection.open(server)) {
			late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", user.token()), "");
			assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("signed-out");
		}
	}

}
