package io.parley.system.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replays cost the server little, however much clients request and however little they
 * read.
 */
@Tag("exhaustive")
class ReplayAttackIntegrationTests {

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	/** One user with many rooms, or several with fewer: both request the same amount. */
	private static final String[] READERS = FULL_SIZE ? new String[] { "reader" }
			: new String[] { "reader", "reader-2", "reader-3" };

	private static final int SESSIONS = 18 * READERS.length;

	private static final int ROOMS = FULL_SIZE ? 190 : 64;

	/** Messages of 15 KB each: all sessions together request 600 MB. */
	private static final int MESSAGES = 12;

	private static final String TEXT = "x".repeat(15_000);

	private static final List<String> ROOM_IDS = new ArrayList<>();

	@RegisterExtension
	static final AttackedServer server = new AttackedServer("--chat.limits.exempt-addresses=none",
			"--chat.limits.sends-per-second=0", "--chat.limits.rooms-per-minute=0",
			"--chat.limits.invitations-per-minute=0", "--chat.limits.repeated-invitations-per-minute=0");

	@BeforeAll
	static void fillRooms() throws InterruptedException {
		String[] members = Stream.concat(Stream.of("filler", "newcomer"), Stream.of(READERS)).toArray(String[]::new);
		for (int i = 0; i < ROOMS; i++) {
			ROOM_IDS.add(server.room(members));
		}
		String token = server.token("filler");
		assertThat(AttackedServer.atOnce(16, (writer) -> {
			boolean all = true;
			for (int i = writer; i < ROOMS * MESSAGES; i += 16) {
				all &= server
					.call(server.stranger(), "POST", "/api/rooms/" + ROOM_IDS.get(i % ROOMS) + "/messages", token,
							"{\"clientId\":\"c" + i + "\",\"text\":\"" + TEXT + "\"}")
					.status() == 202;
			}
			return all;
		})).containsOnly(true);
	}

	@Test
	void replaysThatNobodyReadsFillNoMemory() throws Exception {
		List<RawStomp> stuck = AttackedServer.atOnce(SESSIONS, (i) -> {
			RawStomp socket = server.narrowSocket(server.stranger()).connect(reader(i));
			for (String room : ROOM_IDS) {
				socket.frame("SUBSCRIBE", "", "id:" + room, "destination:/topic/rooms." + room, "after:0");
			}
			return socket;
		});
		for (int i = 0; i < 3; i++) {
			newcomerSubscribes();
		}
		server.honest().awaitMore();
		// A client that reads after all gets the beginning: either events or a
		// gap.
		stuck.getFirst().readOn();
		stuck.getFirst().awaitContaining("\"type\":\"subscribed\"");
		stuck.getFirst()
			.await("missed messages or a gap", (frame) -> frame.contains(TEXT) || frame.contains("\"type\":\"gap\""));
	}

	private static String reader(int session) {
		return server.token(READERS[session % READERS.length]);
	}

	@Test
	void positionsOfTheFutureHoldUpNobody() throws Exception {
		List<RawStomp> waiting = AttackedServer.atOnce(SESSIONS, (i) -> {
			RawStomp socket = server.socket(server.stranger()).readOn().connect(reader(i));
			for (String room : ROOM_IDS.subList(0, Math.min(100, ROOMS))) {
				socket.frame("SUBSCRIBE", "", "id:" + room, "destination:/topic/rooms." + room,
						"after:" + (head(room) + 5_000));
			}
			return socket;
		});
		for (int i = 0; i < 5; i++) {
			newcomerSubscribes();
		}
		assertThat(waiting).allSatisfy((socket) -> assertThat(socket.awaitContaining("\"type\":\"subscribed\""))
			.contains("\"recovered\":false"));
	}

	private static final java.util.Map<String, Long> HEADS = new java.util.concurrent.ConcurrentHashMap<>();

	private static long head(String room) {
		return HEADS.computeIfAbsent(room,
				(id) -> AttackedServer
					.json(server.call(server.stranger(), "GET", "/api/rooms/" + id + "/messages?limit=1",
							server.token("filler"), null))
					.path("head")
					.longValue());
	}

	/** Another user subscribes and gets all messages of a room. */
	private static void newcomerSubscribes() {
		try (RawStomp socket = server.session("newcomer")) {
			String room = ROOM_IDS.getLast();
			socket.frame("SUBSCRIBE", "", "id:s", "destination:/topic/rooms." + room, "after:0", "receipt:done");
			socket.awaitContaining("receipt-id:done");
			assertThat(socket.frames()).filteredOn((frame) -> frame.contains(TEXT)).hasSize(MESSAGES);
		}
	}

	/** Requests full pages of 3 MB with clients that read 1 KB per second. */
	@Test
	void pagesThatNobodyTakesFillNoMemory() throws Exception {
		String room = ROOM_IDS.getFirst();
		String filler = server.token("filler");
		AttackedServer.atOnce(16, (writer) -> {
			for (int i = writer; i < 200; i += 16) {
				server.call(server.stranger(), "POST", "/api/rooms/" + room + "/messages", filler,
						"{\"clientId\":\"p" + i + "\",\"text\":\"" + TEXT + "\"}");
			}
			return writer;
		});
		List<String> tokens = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			String user = "slow-" + i;
			tokens.add(server.token(user));
			server.call(server.stranger(), "POST", "/api/rooms/" + room + "/members", filler,
					"{\"username\":\"" + user + "\"}");
		}
		ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
		try {
			List<RawHttp> pages = AttackedServer.atOnce(100, (i) -> {
				RawHttp http = server.narrowHttp(server.stranger());
				http.send(
						RawHttp.request("GET", "/api/rooms/" + room + "/messages?limit=200", tokens.get(i % 25), null));
				return http;
			});
			List<Integer> statuses = AttackedServer.atOnce(pages.size(), (i) -> {
				try {
					return pages.get(i).status();
				}
				catch (java.io.IOException ex) {
					throw new AssertionError(ex);
				}
			});
			clock.scheduleAtFixedRate(() -> pages.forEach((page) -> page.take(1_024)), 0, 1, TimeUnit.SECONDS);
			assertThat(statuses).isSubsetOf(200, 429, 503).contains(200);
			// One user alone may have only few at once.
			assertThat(
					AttackedServer
						.atOnce(100,
								(i) -> server.call(server.stranger(), "GET",
										"/api/rooms/" + room + "/messages?limit=200", filler, null)
									.status()))
				.isSubsetOf(200, 429, 503);
			System.out.println("Pages: " + statuses.stream()
				.collect(java.util.stream.Collectors.groupingBy((status) -> status,
						java.util.stream.Collectors.counting())));
			server.honest().awaitMore();
		}
		finally {
			clock.shutdownNow();
		}
	}

}
