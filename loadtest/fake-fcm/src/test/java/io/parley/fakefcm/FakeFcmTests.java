package io.parley.fakefcm;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class FakeFcmTests {

	private FakeFcm fcm = FakeFcm.start();

	private FcmClient client;

	@BeforeEach
	void connect() throws Exception {
		this.client = new FcmClient(this.fcm);
	}

	@AfterEach
	void close() {
		this.client.close();
		this.fcm.close();
	}

	@Test
	void takesMessagesOverHttp2AndKeepsThem() throws Exception {
		HttpResponse<String> response = this.client.send("t1", 7);
		assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("\"name\":\"projects/parley-test/messages/1\"");
		assertThat(this.fcm.requests()).singleElement().satisfies((request) -> {
			assertThat(request.target()).isEqualTo("t1");
			assertThat(request.targetKind()).isEqualTo("token");
			assertThat(request.data("position")).isEqualTo("7");
			assertThat(request.httpVersion()).isEqualTo("HTTP/2.0");
			assertThat(request.dryRun()).isFalse();
		});
	}

	@Test
	void knowsInstallationIdsAndDryRuns() throws Exception {
		this.client.post("{\"message\":{\"fid\":\"f1\"},\"validate_only\":true}", "Bearer fake-access-1");
		assertThat(this.fcm.requests()).singleElement().satisfies((request) -> {
			assertThat(request.target()).isEqualTo("f1");
			assertThat(request.targetKind()).isEqualTo("fid");
			assertThat(request.dryRun()).isTrue();
		});
		assertThat(this.fcm.counts().delivered()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "UNREGISTERED, 404, NOT_FOUND, UNREGISTERED", "INVALID_TOKEN, 400, INVALID_ARGUMENT, INVALID_ARGUMENT",
			"SENDER_ID_MISMATCH, 403, PERMISSION_DENIED, SENDER_ID_MISMATCH",
			"THIRD_PARTY_AUTH_ERROR, 401, UNAUTHENTICATED, THIRD_PARTY_AUTH_ERROR",
			"QUOTA_EXCEEDED, 429, RESOURCE_EXHAUSTED, QUOTA_EXCEEDED", "UNAVAILABLE, 503, UNAVAILABLE, UNAVAILABLE",
			"INTERNAL, 500, INTERNAL, INTERNAL" })
	void answersErrorsInTheFormOfTheApi(Behaviour.Kind kind, int code, String status, String errorCode)
			throws Exception {
		this.fcm.behave(Behaviour.of(kind).withRetryAfter("7"));
		HttpResponse<String> response = this.client.send("t1");
		JsonNode error = JsonMapper.shared().readTree(response.body()).path("error");
		assertThat(response.statusCode()).isEqualTo(code).isEqualTo(error.path("code").asInt());
		assertThat(error.path("status").asString()).isEqualTo(status);
		assertThat(error.at("/details/0/@type").asString())
			.isEqualTo("type.googleapis.com/google.firebase.fcm.v1.FcmError");
		assertThat(error.at("/details/0/errorCode").asString()).isEqualTo(errorCode);
		assertThat(response.headers().firstValue("retry-after")).contains("7");
		assertThat(this.fcm.counts().delivered()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "INVALID_PAYLOAD, message.android.ttl", "INVALID_TOKEN_FIELD, message.token" })
	void namesTheFieldThatIsWrong(Behaviour.Kind kind, String field) throws Exception {
		this.fcm.behave("t1", kind);
		JsonNode error = JsonMapper.shared().readTree(this.client.send("t1").body()).path("error");
		assertThat(error.at("/details/0/fieldViolations/0/field").asString()).isEqualTo(field);
		assertThat(this.client.send("t2").statusCode()).isEqualTo(200);
	}

	@Test
	void answersLikeAProxyAndWithAnUnknownStatus() throws Exception {
		this.fcm.behave(Behaviour.Kind.BAD_GATEWAY);
		HttpResponse<String> page = this.client.send("t1");
		assertThat(page.statusCode()).isEqualTo(502);
		assertThat(page.body()).startsWith("<html>");
		this.fcm.behave(Behaviour.Kind.UNKNOWN_STATUS);
		assertThat(this.client.send("t1").body()).contains("\"status\":\"UNIMPLEMENTED\"");
	}

	@Test
	void refusesARequestWithoutAnAccessToken() throws Exception {
		HttpResponse<String> response = this.client.post("{\"message\":{\"token\":\"t1\"}}", "Bearer other");
		assertThat(response.statusCode()).isEqualTo(401);
		assertThat(response.headers().firstValue("www-authenticate").orElse("")).contains("invalid_token");
	}

	@Test
	void hangsWithoutDelivering() throws Exception {
		this.fcm.behave("hung", Behaviour.Kind.HANG);
		CompletableFuture<HttpResponse<String>> hung = this.client.sendLater("hung");
		await().until(() -> this.fcm.requests("hung") == 1);
		assertThat(this.client.send("t1").statusCode()).isEqualTo(200);
		assertThat(hung).isNotDone();
		assertThat(this.fcm.counts().delivered()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "DISCONNECT, 0", "DISCONNECT_DELIVERED, 1" })
	void disconnectsBeforeAndAfterItHasDelivered(Behaviour.Kind kind, int delivered) {
		this.fcm.behave(kind);
		assertThatThrownBy(() -> this.client.sendLater("t1").get()).isInstanceOf(ExecutionException.class);
		assertThat(this.fcm.counts().delivered()).isEqualTo(delivered);
	}

	@Test
	void failsTheFirstRequestsOfEachToken() throws Exception {
		this.fcm.failFirst(2, Behaviour.of(Behaviour.Kind.INTERNAL));
		assertThat(List.of(status("a"), status("a"), status("b"), status("a"), status("b"), status("b")))
			.containsExactly(500, 500, 500, 200, 500, 200);
		assertThat(this.fcm.requests("a")).isEqualTo(3);
	}

	@Test
	void countsDuplicatesByTokenRoomAndPosition() throws Exception {
		this.client.send("a", 1);
		this.client.send("a", 2);
		this.client.send("b", 1);
		assertThat(this.fcm.counts().duplicates()).isZero();
		this.client.send("a", 1);
		assertThat(this.fcm.counts().duplicates()).isOne();
		assertThat(this.fcm.counts().distinctTokens()).isEqualTo(2);
	}

	@Test
	void countsStreamsOfAConnection() throws Exception {
		this.client.send("first");
		this.fcm.latency(Duration.ofMillis(100));
		List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, 20)
			.mapToObj((index) -> this.client.sendLater("t" + index))
			.toList();
		sent.forEach(CompletableFuture::join);
		assertThat(this.fcm.counts().connections()).isOne();
		assertThat(this.fcm.counts().mostStreams()).isBetween(2, 20);
	}

	@Test
	void givesAccessTokensUnlessTold(@TempDir Path directory) throws Exception {
		JsonNode account = JsonMapper.shared().readTree(Files.readAllBytes(this.fcm.serviceAccountFile(directory)));
		assertThat(account.path("project_id").asString()).isEqualTo("parley-test");
		assertThat(account.path("token_uri").asString()).isEqualTo(this.fcm.control() + "/token");
		assertThat(this.client.control("POST", "/token", "assertion=x").body()).contains("\"expires_in\":3600");
		this.fcm.refuseTokens(true);
		assertThat(this.client.control("POST", "/token", "assertion=x").statusCode()).isEqualTo(400);
	}

	private int status(String token) throws Exception {
		return this.client.send(token).statusCode();
	}

}
