package io.parley.conformance.authorization;

import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import tools.jackson.databind.JsonNode;

import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;

/** Registers users and brings their accounts and sign-ins into a state. */
final class People {

	private static final Pattern FORMAT = Pattern.compile("format (\\d+);");

	private static final String NEW_PASSWORD = "another secret of the tests";

	private final ChatServer home;

	private final JwtEncoder encoder;

	/** Several classes may use the same server. */
	private static final AtomicInteger NAMES = new AtomicInteger();

	/** An operator who is in no room. */
	private final ChatApi olga;

	private final Map<String, Registered> known = new HashMap<>();

	People(ChatServer home, JwtEncoder encoder) {
		this.home = home;
		this.encoder = encoder;
		this.olga = home.anonymous().login("olga");
	}

	/** A user with a first sign-in. */
	record Registered(String name, ChatApi api) {
	}

	String unusedName() {
		return "az" + NAMES.incrementAndGet();
	}

	Registered register() {
		String name = unusedName();
		this.home.anonymous().register(name);
		return new Registered(name, this.home.anonymous().login(name));
	}

	/** Returns a user of that part, always the same one. */
	Registered known(String part) {
		return this.known.computeIfAbsent(part, (key) -> register());
	}

	/** Makes an invitation to register and returns its id. */
	String accountInvite() {
		return this.olga.post("/api/operator/invites", Map.of()).expect(201).body().path("id").asString();
	}

	/** Returns the API of the caller on the server where the states are made. */
	ChatApi api(Situation caller) {
		return new ChatApi(this.home, caller.value("self"), caller.token());
	}

	/** Signs the user in on another device. */
	ChatApi signIn(String user) {
		return this.home.anonymous().login(user);
	}

	/** Returns who opens and leads the rooms of others. */
	ChatApi founder() {
		return known("founder").api();
	}

	ChatApi blocker() {
		return known("blocker").api();
	}

	String recordFormat() {
		String text = this.olga.get("/api/operator/record-format").expect(200).response().body();
		Matcher format = FORMAT.matcher(text);
		if (!format.find()) {
			throw new AssertionError(text);
		}
		return format.group(1);
	}

	/**
	 * Makes a caller in that state, with what the rows need from before the state.
	 */
	Person make(Caller caller, List<Row> rows, Rooms rooms) {
		Registered user = register();
		Map<String, String> values = values(user, rows);
		Map<String, String> room = (caller.isNobody() || caller == Caller.BLOCKED) ? rooms.before(caller, user)
				: Map.of();
		String token = switch (caller) {
			case NO_TOKEN -> "";
			case EXPIRED -> expired(user.api());
			default -> user.api().token();
		};
		switch (caller) {
			case ENDED -> user.api().post("/api/auth/logout", Map.of()).expect(204);
			case DISABLED -> change(user.name(), Map.of("state", "disabled"));
			case SUSPENDED -> change(user.name(), Map.of("state", "suspended"));
			case OPERATOR -> change(user.name(), Map.of("operator", true));
			case BLOCKED -> blocker().put("/api/blocks/" + user.name(), Map.of()).expect(204);
			default -> {
			}
		}
		return new Person(user.name(), user.api(), token, values, room);
	}

	private Map<String, String> values(Registered user, List<Row> rows) {
		Map<String, String> values = new HashMap<>(Map.of("self", user.name(), "password", ChatApi.PASSWORD,
				"newpassword", NEW_PASSWORD, "access", user.api().token()));
		Registered other = known("other");
		values.put("otheraccess", other.api().token());
		for (Row row : rows) {
			if (row.uses("refresh")) {
				values.put("refresh", user.api().refreshToken());
			}
			if (row.uses("signin")) {
				values.put("signin", this.home.anonymous().login(user.name()).signIn());
			}
			if (row.uses("othersignin")) {
				values.put("othersignin", other.api().signIn());
			}
			if (row.uses("device")) {
				values.put("device", device(user));
			}
			if (row.uses("otherdevice")) {
				values.put("otherdevice", device(other));
			}
			if (row.uses("scheduled")) {
				values.put("scheduled", scheduled(user));
			}
			if (row.uses("otherscheduled")) {
				values.put("otherscheduled", scheduled(other));
			}
			if (row.uses("reset")) {
				JsonNode reset = this.olga.post("/api/operator/users/" + user.name() + "/reset", Map.of())
					.expect(201)
					.body();
				values.put("reset", reset.path("token").asString());
			}
		}
		return values;
	}

	private static String device(Registered user) {
		String token = "device-of-" + user.name();
		user.api().post("/api/devices", Map.of("token", token, "platform", "android"));
		return token;
	}

	/** Schedules a message in a new room of the user. */
	private static String scheduled(Registered user) {
		return user.api()
			.post("/api/rooms/" + user.api().openGroup("n") + "/scheduled",
					Map.of("clientId", "c", "text", "t", "sendAt", Instant.now().plusSeconds(3_600).toString()))
			.expect(201)
			.body()
			.path("id")
			.toString();
	}

	/** Changes an account as an operator does. */
	void change(String user, Map<String, Object> change) {
		this.olga.patch("/api/operator/users/" + user, change).expect(200);
	}

	/** Returns a token like that of the user which has expired. */
	private String expired(ChatApi user) {
		String[] parts = user.token().split("\\.");
		JsonNode header = json(parts[0]);
		JsonNode claims = json(parts[1]);
		Instant end = Instant.now().minusSeconds(1);
		JwtClaimsSet.Builder set = JwtClaimsSet.builder();
		claims.forEachEntry((name, value) -> {
			if (value.isString()) {
				set.claim(name, value.asString());
			}
		});
		set.audience(List.of(audience(claims))).issuedAt(end.minusSeconds(900)).expiresAt(end);
		JwsHeader jws = JwsHeader.with(SignatureAlgorithm.RS256)
			.type(header.path("typ").asString())
			.keyId(header.path("kid").asString())
			.build();
		return this.encoder.encode(JwtEncoderParameters.from(jws, set.build())).getTokenValue();
	}

	private static String audience(JsonNode claims) {
		JsonNode audience = claims.path("aud");
		return (audience.isArray() ? audience.get(0) : audience).asString();
	}

	private static JsonNode json(String part) {
		return ChatApi.JSON.readTree(Base64.getUrlDecoder().decode(part));
	}

}
