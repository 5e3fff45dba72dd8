package io.parley.notification.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import com.google.api.client.json.gson.GsonFactory;
import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.firebase.FirebaseApp;
import com.google.firebase.FirebaseOptions;
import com.google.firebase.internal.ApacheHttp2Transport;
import com.google.firebase.messaging.FirebaseMessaging;
import com.google.firebase.messaging.FirebaseMessagingException;
import io.github.bucket4j.Bucket;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundles;

/**
 * Sends messages by Firebase Cloud Messaging. The settings limit the number of messages
 * in flight and the number started per second, over all callers. Callers above the limits
 * wait.
 */
public final class FcmPushProvider implements PushProvider, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(FcmPushProvider.class);

	private static final AtomicLong APPS = new AtomicLong();

	private final FcmProperties properties;

	private final MessagingCredentials credentials;

	private final ApacheHttp2Transport transport;

	private final FirebaseApp app;

	private final FirebaseMessaging messaging;

	private final FcmMessages messages;

	private final FcmFailures failures;

	private final MassRefusals refusals;

	private final LogThrottle noCredentials;

	private final Bucket rate;

	private FcmPushProvider(FcmProperties properties, FcmAccount account, ApacheHttp2Transport transport,
			MeterRegistry meters, Clock clock) {
		this.properties = properties;
		this.credentials = new MessagingCredentials(account.credentials());
		this.transport = transport;
		this.app = FirebaseApp.initializeApp(FirebaseOptions.builder()
			.setCredentials(this.credentials)
			.setProjectId(account.projectId())
			.setHttpTransport(transport)
			.setJsonFactory(GsonFactory.getDefaultInstance())
			.setThreadManager(new FcmThreads(properties.concurrency()))
			.setConnectTimeout((int) properties.connectTimeout().toMillis())
			.setReadTimeout((int) properties.readTimeout().toMillis())
			.setWriteTimeout((int) properties.writeTimeout().toMillis())
			.build(), "parley-push-" + APPS.incrementAndGet());
		this.messaging = FirebaseMessaging.getInstance(this.app);
		this.messages = new FcmMessages(properties, clock);
		this.failures = new FcmFailures(clock, this::renewAccessToken);
		this.refusals = new MassRefusals(meters, clock);
		this.noCredentials = new LogThrottle(clock);
		this.rate = Bucket.builder()
			.addLimit((limit) -> limit.capacity(properties.perSecond())
				.refillGreedy(properties.perSecond(), Duration.ofSeconds(1)))
			.build();
	}

	/**
	 * Creates a provider. It opens no connection before the first message. It counts in
	 * {@code chat.push.devices.doubted} the answers that would remove a device but are
	 * not trusted.
	 * @throws FcmSettingsException if the settings can't work; the message says what to
	 * set
	 */
	public static FcmPushProvider create(FcmProperties properties, SslBundles bundles, MeterRegistry meters) {
		FcmAccount account = FcmAccount.of(properties);
		return new FcmPushProvider(properties, account, FcmTransport.create(properties, bundles), meters,
				Clock.systemUTC());
	}

	@Override
	public List<PushAnswer> push(List<PushMessage> messages) {
		if (messages.isEmpty() || messages.size() > MAX_BATCH) {
			throw new IllegalArgumentException("Expected 1 to " + MAX_BATCH + " messages, got " + messages.size());
		}
		if (!hasAccess()) {
			return Collections.nCopies(messages.size(), PushAnswer.retry("credentials", null));
		}
		List<ApiFuture<PushAnswer>> pending = new ArrayList<>(messages.size());
		for (PushMessage message : messages) {
			pending.add(send(message));
		}
		List<PushAnswer> answers = new ArrayList<>(messages.size());
		for (ApiFuture<PushAnswer> answer : pending) {
			answers.add(await(answer));
		}
		return this.refusals.check(messages, answers);
	}

	/**
	 * Sends one message. {@code sendEach} would do the same for many, but loses the
	 * answers to all of them if the SDK can't read one.
	 */
	private ApiFuture<PushAnswer> send(PushMessage message) {
		try {
			this.rate.asBlocking().consume(1);
			ApiFuture<String> sent = this.messaging.sendAsync(this.messages.of(message), this.properties.dryRun());
			return ApiFutures.catching(ApiFutures.transform(sent, PushAnswer::sent, Runnable::run), Throwable.class,
					(failure) -> failed(failure, message.target()), Runnable::run);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ApiFutures.immediateFuture(PushAnswer.retry("interrupted", null));
		}
		catch (IllegalArgumentException ex) {
			return ApiFutures.immediateFuture(PushAnswer.refused("invalid-message: could not be created"));
		}
		catch (IllegalStateException | RejectedExecutionException ex) {
			return ApiFutures.immediateFuture(PushAnswer.retry("closed", null));
		}
	}

	private PushAnswer failed(Throwable failure, PushTarget target) {
		if (failure instanceof FirebaseMessagingException known) {
			return this.failures.answer(known, target);
		}
		return PushAnswer.retry("unreadable-answer: " + failure.getClass().getSimpleName(), null);
	}

	private static PushAnswer await(ApiFuture<PushAnswer> answer) {
		try {
			return answer.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return PushAnswer.retry("interrupted", null);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Failures must have been converted to answers", ex);
		}
	}

	/**
	 * Refreshes the access token once for all messages; otherwise each message would try
	 * to get one.
	 */
	private boolean hasAccess() {
		try {
			this.credentials.refreshIfExpired();
			return true;
		}
		catch (IOException ex) {
			if (this.noCredentials.pass()) {
				logger.error("No access token for FCM, pushes are retried: {}", firstLine(ex));
			}
			return false;
		}
	}

	private void renewAccessToken() {
		try {
			this.credentials.refresh();
		}
		catch (IOException ex) {
			logger.warn("FCM rejected the access token, and a new one could not be obtained: {}", firstLine(ex));
		}
	}

	private static String firstLine(IOException failure) {
		return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
	}

	/** Stops all threads and closes all connections. Messages in flight are abandoned. */
	@Override
	public void close() {
		this.app.delete();
		try {
			this.transport.shutdown();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
