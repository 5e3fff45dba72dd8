package io.parley.notification.provider;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import com.google.api.client.json.gson.GsonFactory;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.parley.store.push.Device.Kind;
import io.parley.store.push.Device.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FcmMessagesTests {

	private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_000_000), ZoneOffset.UTC);

	@Test
	void showsTheRoomAndTheMessage() throws IOException {
		assertThat(text(push(Platform.ANDROID, "The room", "Hello", 1))).isEqualTo("The room|anna: Hello");
		assertThat(text(push(Platform.ANDROID, "The room", "Hello", 3)))
			.isEqualTo("The room|3 new messages, last from anna: Hello");
		assertThat(text(push(Platform.ANDROID, "", "Hello", 1))).isEqualTo("anna|anna: Hello");
	}

	@Test
	void hidesNamesAndTextWhenConfigured() throws IOException {
		for (Platform platform : Platform.values()) {
			JsonObject json = json(push(platform, "The room", "Hello", 1), "show-content=false");
			assertThat(json.getAsJsonObject("notification").toString()).isEqualTo("{\"title\":\"New message\"}");
			assertThat(json.toString()).doesNotContain("anna").doesNotContain("Hello").doesNotContain("The room");
		}
	}

	@Test
	void includesTheDataForTheApp() throws IOException {
		assertThat(json(push(Platform.IOS, "The room", "Hello", 2)).getAsJsonObject("data").toString())
			.contains("\"room\":\"r1\"", "\"position\":\"7\"", "\"messages\":\"2\"", "\"mentioned\":\"true\"");
	}

	@Test
	void replacesByTagOnAndroidWithoutACollapseKey() throws IOException {
		JsonObject android = json(push(Platform.ANDROID, "The room", "Hello", 1)).getAsJsonObject("android");
		assertThat(android.has("collapse_key")).isFalse();
		assertThat(android.get("priority").getAsString()).isEqualTo("high");
		assertThat(android.get("ttl").getAsString()).isEqualTo("14400s");
		assertThat(android.getAsJsonObject("notification").get("tag").getAsString()).isEqualTo("r1");
		assertThat(android.getAsJsonObject("notification").get("channel_id").getAsString()).isEqualTo("messages");
	}

	@Test
	void setsThreadAndBadgeOnIos() throws IOException {
		JsonObject apns = json(push(Platform.IOS, "The room", "Hello", 1)).getAsJsonObject("apns");
		assertThat(apns.getAsJsonObject("headers").toString()).contains("\"apns-priority\":\"10\"",
				"\"apns-expiration\":\"1014400\"", "\"apns-collapse-id\":\"r1\"");
		JsonObject aps = apns.getAsJsonObject("payload").getAsJsonObject("aps");
		assertThat(aps.get("thread-id").getAsString()).isEqualTo("r1");
		assertThat(aps.get("badge").getAsInt()).isEqualTo(12);
		assertThat(aps.get("mutable-content").getAsInt()).isOne();
	}

	/** A reply replaces the notification of its thread, not that of the room. */
	@ParameterizedTest
	@CsvSource({ "5, 5.r1", "0, r1" })
	void replacesTheNotificationOfTheSameThread(long thread, String topic) throws IOException {
		JsonObject android = json(push(Platform.ANDROID, "The room", "Hello", 1, thread));
		assertThat(android.getAsJsonObject("data").has("thread")).isEqualTo(thread != 0);
		assertThat(android.getAsJsonObject("android").getAsJsonObject("notification").get("tag").getAsString())
			.isEqualTo(topic);
		JsonObject apns = json(push(Platform.IOS, "The room", "Hello", 1, thread)).getAsJsonObject("apns");
		assertThat(apns.getAsJsonObject("headers").get("apns-collapse-id").getAsString()).isEqualTo(topic);
		JsonObject web = json(push(Platform.WEB, "The room", "Hello", 1, thread)).getAsJsonObject("webpush");
		assertThat(web.getAsJsonObject("notification").get("tag").getAsString()).isEqualTo(topic);
	}

	@Test
	void setsTagAndLinkInBrowsers() throws IOException {
		JsonObject web = json(push(Platform.WEB, "The room", "Hello", 1), "link=https://chat.example.org/#{room}")
			.getAsJsonObject("webpush");
		assertThat(web.getAsJsonObject("headers").toString()).contains("\"TTL\":\"14400\"", "\"Urgency\":\"high\"");
		assertThat(web.getAsJsonObject("notification").get("tag").getAsString()).isEqualTo("r1");
		assertThat(web.getAsJsonObject("fcm_options").get("link").getAsString())
			.isEqualTo("https://chat.example.org/#r1");
		assertThat(json(push(Platform.WEB, "The room", "Hello", 1)).getAsJsonObject("webpush").has("fcm_options"))
			.isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "ä", "👋", "\"", "\u0001", "\u2028", "👋a\"" })
	void fillsThePayloadAndTruncatesBetweenCharacters(String character) throws IOException {
		PushMessage push = push(Platform.ANDROID, "The room", character.repeat(16_384 / character.length()), 1);
		byte[] bytes = bytes(push);
		assertThat(bytes.length).isBetween(4096 - 8, 4096);
		String shown = text(push).replace("The room|anna: ", "");
		assertThat(shown).endsWith("…");
		String text = shown.substring(0, shown.length() - 1);
		assertThat(push.text()).startsWith(text);
		assertThat(Character.isHighSurrogate(text.charAt(text.length() - 1))).isFalse();
	}

	@Test
	void keepsATextThatFits() throws IOException {
		assertThat(text(push(Platform.WEB, "The room", "👋".repeat(500), 1))).endsWith("anna: " + "👋".repeat(500));
	}

	@Test
	void truncatesLongNames() throws IOException {
		assertThat(text(push(Platform.IOS, "👋".repeat(1000), "Hello", 1)))
			.isEqualTo("👋".repeat(100) + "…|anna: Hello");
	}

	@Test
	void refusesAMessageThatCannotFit() {
		PushMessage push = new PushMessage(new PushTarget(Kind.TOKEN, "t".repeat(5000), Platform.ANDROID), "bert", "r1",
				"The room", "anna", "Hello", 7, 1, false, 1, Duration.ofHours(1), 0);
		assertThatThrownBy(() -> json(push)).isInstanceOf(IllegalArgumentException.class);
	}

	private static PushMessage push(Platform platform, String room, String text, int messages) {
		return push(platform, room, text, messages, 0);
	}

	private static PushMessage push(Platform platform, String room, String text, int messages, long thread) {
		return new PushMessage(new PushTarget(Kind.TOKEN, "t1", platform), "bert", "r1", room, "anna", text, 7,
				messages, true, 12, Duration.ofHours(4), thread);
	}

	private static String text(PushMessage push) throws IOException {
		JsonObject notification = json(push).getAsJsonObject("notification");
		return notification.get("title").getAsString() + "|" + notification.get("body").getAsString();
	}

	private static JsonObject json(PushMessage push, String... settings) throws IOException {
		return JsonParser.parseString(new String(bytes(push, settings), "UTF-8")).getAsJsonObject();
	}

	private static byte[] bytes(PushMessage push, String... settings) throws IOException {
		return GsonFactory.getDefaultInstance().toByteArray(new FcmMessages(FcmSetup.bind(settings), CLOCK).of(push));
	}

}
