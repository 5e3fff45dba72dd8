package io.parley.server.hook;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.parley.events.EventRecord;
import io.parley.events.RoomEvent;
import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the program over HTTP. A call never takes longer than the deadline, follows no
 * redirect, and reads at most {@link #MAX_BYTES} of the answer. Safe for use by many
 * threads.
 */
final class HookClient implements AutoCloseable {

	static final int MAX_BYTES = 16_384;

	private static final ObjectReader JSON = JsonMapper.shared()
		.reader()
		.with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

	private final URI url;

	private final HookProperties properties;

	private final @Nullable HookSignature signature;

	private final Semaphore calls;

	private final HttpClient http;

	/**
	 * @throws ImpossibleSettingsException if the address or the secret is not valid
	 */
	HookClient(String url, HookProperties properties) {
		this.url = parse(url);
		this.properties = properties;
		String secret = properties.secret();
		this.signature = (secret != null && !secret.isBlank()) ? new HookSignature(secret.strip()) : null;
		// Fair, so that nobody waits for longer than those who came later.
		this.calls = new Semaphore(properties.maxConcurrent(), true);
		this.http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.connectTimeout(properties.deadline())
			.executor(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("hook-", 0).factory()))
			.build();
	}

	private static URI parse(String url) {
		try {
			URI uri = new URI(url.strip());
			boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
			if (web && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
				return uri;
			}
		}
		catch (URISyntaxException ex) {
			// Refused below.
		}
		throw new ImpossibleSettingsException("chat.messages.hook.url must be an address such as "
				+ "https://hook.example.org/messages, with http or https and without user, password and fragment.");
	}

	/** The answer of the program. */
	record Answer(boolean allow, @Nullable String reason) {
	}

	/** Thrown if there is no valid answer. */
	static final class FailedCallException extends Exception {

		private final HookOutcome outcome;

		FailedCallException(HookOutcome outcome, String message) {
			super(message, null, false, false);
			this.outcome = outcome;
		}

		HookOutcome outcome() {
			return this.outcome;
		}

	}

	/** Returns the address without its query, for log lines. */
	String address() {
		return this.url.getScheme() + "://" + this.url.getRawAuthority() + this.url.getRawPath();
	}

	/**
	 * Asks whether an event may be accepted. Blocks.
	 * @throws FailedCallException if there is no valid answer within the deadline
	 */
	Answer ask(RoomEvent event) throws FailedCallException {
		long end = System.nanoTime() + this.properties.deadline().toNanos();
		try {
			if (!this.calls.tryAcquire(this.properties.deadline().toNanos(), TimeUnit.NANOSECONDS)) {
				throw new FailedCallException(HookOutcome.BUSY,
						this.properties.maxConcurrent() + " calls are running (chat.messages.hook.max-concurrent)");
			}
			try {
				return callWithRetry(event, end);
			}
			finally {
				this.calls.release();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new FailedCallException(HookOutcome.UNAVAILABLE, "interrupted");
		}
	}

	/**
	 * Calls the program, and once more if the connection broke: the program may close the
	 * connection of an earlier call at any moment.
	 */
	private Answer callWithRetry(RoomEvent event, long end) throws FailedCallException, InterruptedException {
		try {
			return call(event, end);
		}
		catch (FailedCallException ex) {
			if (ex.outcome() == HookOutcome.UNAVAILABLE) {
				return call(event, end);
			}
			throw ex;
		}
	}

	private Answer call(RoomEvent event, long end) throws FailedCallException, InterruptedException {
		CompletableFuture<HttpResponse<byte[]>> exchange = this.http.sendAsync(request(event),
				BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
		try {
			return parse(exchange.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			throw new FailedCallException(HookOutcome.TIMEOUT, "no answer within " + this.properties.deadline());
		}
		catch (ExecutionException ex) {
			throw failure(ex.getCause());
		}
		finally {
			// Closes the connection of a call that is still running.
			exchange.cancel(true);
		}
	}

	private static FailedCallException failure(@Nullable Throwable cause) {
		return switch (cause) {
			case HttpTimeoutException timeout -> new FailedCallException(HookOutcome.TIMEOUT, String.valueOf(timeout));
			case null, default -> new FailedCallException(HookOutcome.UNAVAILABLE, String.valueOf(cause));
		};
	}

	private HttpRequest request(RoomEvent event) {
		Instant now = Instant.now();
		byte[] body = body(event, now);
		HttpRequest.Builder request = HttpRequest.newBuilder(this.url)
			.header("Content-Type", "application/json")
			.header("Accept", "application/json")
			.header("webhook-id", event.id())
			.header("webhook-timestamp", String.valueOf(now.getEpochSecond()))
			.POST(BodyPublishers.ofByteArray(body));
		if (this.signature != null) {
			request.header("webhook-signature", this.signature.of(event.id(), now.getEpochSecond(), body));
		}
		return request.build();
	}

	private static byte[] body(RoomEvent event, Instant now) {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		body.writeBytes(("{\"type\":\"message.check\",\"timestamp\":\"" + now + "\",\"data\":")
			.getBytes(StandardCharsets.UTF_8));
		body.writeBytes(EventRecord.of(event).json());
		body.write('}');
		return body.toByteArray();
	}

	private static Answer parse(HttpResponse<byte[]> response) throws FailedCallException {
		if (response.statusCode() != 200) {
			throw new FailedCallException(HookOutcome.BAD_ANSWER, "status " + response.statusCode());
		}
		try {
			JsonNode answer = JSON.readTree(response.body());
			JsonNode allow = answer.path("allow");
			if (answer.isObject() && allow.isBoolean()) {
				return new Answer(allow.asBoolean(), answer.path("reason").stringValue(null));
			}
		}
		catch (JacksonException ex) {
			// Not valid, like below.
		}
		throw new FailedCallException(HookOutcome.BAD_ANSWER, "the answer is not {\"allow\":true|false,\"reason\"?}");
	}

	@Override
	public void close() {
		this.http.shutdownNow();
	}

}
