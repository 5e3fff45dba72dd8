package io.parley.notification.provider;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import io.parley.store.push.Device.Kind;
import io.parley.store.push.Device.Platform;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the mapping of FCM responses, through the real SDK. */
@ExtendWith(OutputCaptureExtension.class)
class FcmAnswerTests {

	private static FakeFcm fcm;

	private static FcmPushProvider provider;

	private static int tokens;

	private final String token = "secret-token-" + (++tokens);

	@BeforeAll
	static void start(@TempDir Path directory) {
		fcm = FakeFcm.start();
		provider = FcmSetup.provider(fcm, directory);
	}

	@AfterAll
	static void close() {
		provider.close();
		fcm.close();
	}

	@Test
	void isSentWithTheMessageNameOfFcm() {
		PushAnswer answer = push();
		assertThat(answer.kind()).isEqualTo(PushAnswer.Kind.SENT);
		assertThat(answer.detail()).startsWith("projects/parley-test/messages/");
		assertThat(fcm.requests(this.token)).isOne();
	}

	@Test
	void addressesAnInstallationIdByItsOwnField() {
		provider.push(List.of(FcmSetup.message("another")));
		PushMessage message = FcmSetup.message(this.token);
		PushTarget target = new PushTarget(Kind.FID, this.token, Platform.WEB);
		PushMessage byId = new PushMessage(target, "bert", "r1", "The room", "anna", "Hello", 1, 1, false, 1,
				message.timeToLive(), 0);
		assertThat(provider.push(List.of(byId)).getFirst().kind()).isEqualTo(PushAnswer.Kind.SENT);
		assertThat(fcm.requests().getLast().targetKind()).isEqualTo("fid");
		fcm.behave(this.token, Behaviour.Kind.INVALID_TOKEN_FIELD);
		assertThat(provider.push(List.of(byId))).containsExactly(PushAnswer.gone("invalid-target"));
	}

	@ParameterizedTest
	@CsvSource({ "UNREGISTERED, GONE, unregistered", "SENDER_ID_MISMATCH, GONE, sender-id-mismatch",
			"INVALID_TOKEN, GONE, invalid-target", "INVALID_TOKEN_FIELD, GONE, invalid-target",
			"INVALID_PAYLOAD, REFUSED, invalid-message: Illegal duration format (message.android.ttl)",
			"THIRD_PARTY_AUTH_ERROR, RETRY, third-party-auth-error", "UNAUTHENTICATED, RETRY, no-access: http-401",
			"QUOTA_EXCEEDED, RETRY, quota-exceeded", "UNAVAILABLE, RETRY, unavailable", "INTERNAL, RETRY, internal",
			"BAD_GATEWAY, RETRY, http-502", "UNKNOWN_STATUS, RETRY, unreadable-answer",
			"DISCONNECT, RETRY, connection-failed", "DISCONNECT_DELIVERED, RETRY, connection-failed" })
	void isRequestedOnceAndMapped(Behaviour.Kind kind, PushAnswer.Kind expected, String detail, CapturedOutput output) {
		provider.push(List.of(FcmSetup.message("another")));
		fcm.behave(this.token, kind);
		PushAnswer answer = push();
		assertThat(answer.kind()).isEqualTo(expected);
		assertThat(answer.detail()).startsWith(detail).doesNotContain(this.token);
		assertThat(fcm.requests(this.token)).isOne();
		assertThat(output).doesNotContain(this.token);
	}

	@ParameterizedTest
	@CsvSource({ "QUOTA_EXCEEDED, 120, 120", "QUOTA_EXCEEDED, 1, 10", "QUOTA_EXCEEDED, 86400, 3600",
			"QUOTA_EXCEEDED, , 60", "QUOTA_EXCEEDED, soon, 60", "UNAVAILABLE, 7, 7", "UNAVAILABLE, , ",
			"UNAVAILABLE, 86400, 3600", "INTERNAL, 5, 5", "BAD_GATEWAY, 9, 9", "THIRD_PARTY_AUTH_ERROR, , 60" })
	void returnsTheRetryDelayOfFcm(Behaviour.Kind kind, String retryAfter, Long seconds) {
		fcm.behave(this.token, new Behaviour(kind, retryAfter));
		assertThat(push().retryAfter()).isEqualTo((seconds != null) ? Duration.ofSeconds(seconds) : null);
	}

	@Test
	void understandsARetryDate() {
		String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(30));
		fcm.behave(this.token, new Behaviour(Behaviour.Kind.QUOTA_EXCEEDED, date));
		assertThat(push().retryAfter()).isBetween(Duration.ofMinutes(25), Duration.ofMinutes(30));
	}

	@Test
	void oneInvalidTargetDoesNotAffectTheRestOfABatch() {
		fcm.behave(this.token, Behaviour.Kind.UNKNOWN_STATUS);
		List<PushAnswer> answers = provider.push(List.of(FcmSetup.message(this.token + "-before"),
				FcmSetup.message(this.token), FcmSetup.message(this.token + "-after"), FcmSetup.message("")));
		assertThat(answers).extracting(PushAnswer::kind)
			.containsExactly(PushAnswer.Kind.SENT, PushAnswer.Kind.RETRY, PushAnswer.Kind.SENT,
					PushAnswer.Kind.REFUSED);
	}

	@Test
	void refreshesTheAccessTokenOnceWhenFcmRefusesIt(@TempDir Path directory) {
		try (FakeFcm own = FakeFcm.start(); FcmPushProvider ours = FcmSetup.provider(own, directory)) {
			own.behave(Behaviour.Kind.UNAUTHENTICATED);
			ours.push(FcmSetup.messages(20));
			assertThat(own.tokensGiven()).isEqualTo(2);
			assertThat(own.counts().requests()).isEqualTo(20);
		}
	}

	@Test
	void logsAnInvalidKeyOnceAMinute(@TempDir Path directory, CapturedOutput output) {
		try (FakeFcm own = FakeFcm.start(); FcmPushProvider ours = FcmSetup.provider(own, directory)) {
			own.behave(Behaviour.Kind.THIRD_PARTY_AUTH_ERROR);
			ours.push(FcmSetup.messages(20));
			assertThat(output.getOut().split("THIRD_PARTY_AUTH_ERROR", -1)).hasSize(2);
			assertThat(own.counts().requests()).isEqualTo(20);
			assertThat(own.tokensGiven()).isOne();
		}
	}

	private PushAnswer push() {
		return provider.push(List.of(FcmSetup.message(this.token))).getFirst();
	}

}
