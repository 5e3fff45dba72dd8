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
 * Sends by Firebase Cloud Messaging. At most so many messages are under way at once, and
 * so many begun in a second, as the settings say, whoever calls; more callers wait.
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
	 * Connects to nothing yet; the messages do. Counts in
	 * {@code chat.push.devices.doubted} the answers that would have a device forgotten
	 * and are not believed.
	 * @throws FcmSettingsException when the settings can't work; the message says what to
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
			throw new IllegalArgumentException("from 1 to " + MAX_BATCH + " messages, not " + messages.size());
		}
		if (!hasAccess()) {
			return Collections.nCopies(messages.size(), PushAnswer.retry("credentials", null));
		}
		List<ApiFuture<PushAnswer>> asked = new ArrayList<>(messages.size());
		for (PushMessage message : messages) {
			asked.add(send(message));
		}
		List<PushAnswer> answers = new ArrayList<>(messages.size());
		for (ApiFuture<PushAnswer> answer : asked) {
			answers.add(await(answer));
		}
		return this.refusals.check(messages, answers);
	}

	/**
	 * One by one, not by {@code sendEach}: that one does the same, but loses the answers
	 * to all when the SDK can't read one.
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
			return ApiFutures.immediateFuture(PushAnswer.refused("invalid-message: not possible to make"));
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
			throw new IllegalStateException("every failure was made an answer", ex);
		}
	}

	/** Once for all messages: else each would try to get an access token. */
	private boolean hasAccess() {
		try {
			this.credentials.refreshIfExpired();
			return true;
		}
		catch (IOException ex) {
			if (this.noCredentials.pass()) {
				logger.error("No access token for FCM, pushes wait: {}", firstLine(ex));
			}
			return false;
		}
	}

	private void renewAccessToken() {
		try {
			this.credentials.refresh();
		}
		catch (IOException ex) {
			logger.warn("FCM refused the access token, and no new one was given: {}", firstLine(ex));
		}
	}

	private static String firstLine(IOException failure) {
		return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
	}

	/** Ends all threads and connections; what is under way is given up. */
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
