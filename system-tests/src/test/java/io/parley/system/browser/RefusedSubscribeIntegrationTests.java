package io.parley.system.browser;

import java.util.List;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** The server refuses some of the subscriptions of the page. */
class RefusedSubscribeIntegrationTests {

	/** Each takes two subscriptions. */
	private static final int ROOMS = 12;

	/** The page subscribes to it after the others. */
	private static final String LAST = "The last room";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess();

	private ChatPage page;

	@BeforeEach
	void open() {
		this.page = new ChatPage(chromium.browser(), 1280, 800);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void aRoomThatIsRefusedForAWhileBecomesLive() throws Exception {
		this.server.with("--chat.limits.subscribes-per-second=1").start();
		ChatApi api = new ChatApi(this.server.url());
		String bob = api.login("bob", "demo");
		String last = createRooms(api, bob);
		this.page.signIn(this.server.url(), "alice");
		this.page.open(LAST);
		assertThat(this.page.test("room-name")).hasText(LAST);
		this.page.awaitFrame("\"code\":\"rate-limited\"");
		api.post(bob, last, "c1", "Hello Alice");
		assertThat(this.page.messages()).hasText("Hello Alice");
		assertThat(this.page.test("toast")).isHidden();
		assertThat(this.page.sockets()).isOne();
	}

	@Test
	void theReasonOfAPermanentRefusalIsShown() throws Exception {
		this.server.with("--chat.limits.subscriptions-per-session=" + ROOMS).start();
		ChatApi api = new ChatApi(this.server.url());
		createRooms(api, api.login("bob", "demo"));
		this.page.signIn(this.server.url(), "alice");
		assertThat(this.page.test("toast"))
			.hasText("At most 12 subscriptions of one session are allowed; unsubscribe first.");
		assertThat(this.page.test("toast")).isHidden();
		this.page.open(LAST);
		assertThat(this.page.test("toast")).isVisible();
	}

	/** Creates rooms of Alice, and returns the id of the last one. */
	private static String createRooms(ChatApi api, String owner) {
		for (int i = 1; i < ROOMS; i++) {
			api.createRoom(owner, "Room " + i, List.of("alice"));
		}
		return api.createRoom(owner, LAST, List.of("alice"));
	}

}
