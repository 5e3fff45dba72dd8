package io.parley.server.demo;

import java.time.Duration;
import java.util.List;

import io.parley.server.account.AccountService;
import io.parley.server.error.ChatException;
import io.parley.server.room.RoomRegistry;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Creates demo users with a public password. Active in profile {@code demo} only. */
@Component
@RestController
@Profile("demo")
class DemoData {

	static final String OPERATOR = "alice";

	static final String ROOM = "Lobby";

	static final List<String> USERS = List.of(OPERATOR, "bob", "carol");

	/** A busy machine hashes a password for longer than a sign-in may take. */
	private static final RetryTemplate RETRY = new RetryTemplate(RetryPolicy.builder()
		.includes(ChatException.class, DataAccessException.class)
		.maxRetries(10)
		.delay(Duration.ofMillis(500))
		.build());

	private static final Logger log = LoggerFactory.getLogger(DemoData.class);

	private final AccountService accounts;

	private final RoomRegistry rooms;

	private final MemberRepository members;

	DemoData(AccountService accounts, RoomRegistry rooms, MemberRepository members) {
		this.accounts = accounts;
		this.rooms = rooms;
		this.members = members;
	}

	record Demo(List<String> users, String password) {
	}

	@GetMapping("/api/demo")
	Demo demo() {
		return new Demo(USERS, AccountService.DEMO_PASSWORD);
	}

	/**
	 * Creates whatever is missing, because an earlier start may have been interrupted. If
	 * several servers start at once, the first one creates the data and the others skip
	 * it. Runs before the server is ready.
	 */
	@EventListener(ApplicationStartedEvent.class)
	@Order(0)
	void create() {
		try {
			RETRY.invoke(this::createMissing);
		}
		catch (ChatException | DataAccessException ex) {
			log.warn("The demo data is incomplete; the next start completes it: {}", ex.getMessage());
		}
	}

	private void createMissing() {
		USERS.stream().filter((user) -> !this.accounts.exists(user)).forEach(this.accounts::registerForDemo);
		this.accounts.ensureDemoOperator(OPERATOR);
		if (this.members.roomsOf(OPERATOR).isEmpty()) {
			this.rooms.create(OPERATOR, ROOM, RoomKind.GROUP, USERS, null, true);
			this.rooms.direct(OPERATOR, "bob");
		}
	}

}
