package io.parley.server.demo;

import java.util.Comparator;

import io.parley.server.account.AccountService;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Logs what to try first, when a server with demo users is ready. */
@Component
@Profile("demo")
class FirstSteps {

	private static final Logger log = LoggerFactory.getLogger(FirstSteps.class);

	/** A login and a post in one command. */
	private static final String POST = "curl -s {url}/api/rooms/{room}/messages -H 'Content-Type: application/json'"
			+ " -H \"Authorization: Bearer $(curl -s {url}/api/auth/login -H 'Content-Type: application/json'"
			+ " -d '{\"username\":\"{user}\",\"password\":\"{password}\"}'"
			+ " | sed 's/.*\"accessToken\":\"\\([^\"]*\\).*/\\1/')\""
			+ " -d '{\"clientId\":\"'$(date +%s%N)'\",\"text\":\"Hello\"}'";

	private final Environment environment;

	private final MemberRepository members;

	FirstSteps(Environment environment, MemberRepository members) {
		this.environment = environment;
		this.members = members;
	}

	@EventListener(ApplicationReadyEvent.class)
	void show() {
		String url = "http://localhost:" + this.environment.getProperty("local.server.port");
		log.info("Ready: open {} in two tabs", url);
		log.info("Sign in as {}, password {}", String.join(", ", DemoData.USERS), AccountService.DEMO_PASSWORD);
		try {
			this.members.roomsOf(DemoData.OPERATOR)
				.stream()
				.filter((room) -> DemoData.ROOM.equals(room.getName()))
				.map(Room::getId)
				.min(Comparator.naturalOrder())
				.ifPresent((room) -> log.info("Post as {}: {}", DemoData.OPERATOR, command(url, room)));
		}
		catch (DataAccessException ex) {
			log.debug("The demo room is not known, because the database does not answer", ex);
		}
	}

	private static String command(String url, String room) {
		return POST.replace("{url}", url)
			.replace("{room}", room)
			.replace("{user}", DemoData.OPERATOR)
			.replace("{password}", AccountService.DEMO_PASSWORD);
	}

}
