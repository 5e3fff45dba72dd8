package io.parley.notification.provider;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CancellationException;

import com.google.firebase.IncomingHttpResponse;
import com.google.firebase.messaging.FirebaseMessagingException;
import com.google.firebase.messaging.MessagingErrorCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps each failure to its meaning for the device. A device is considered gone only if
 * FCM itself says so in its own error format: a wrong project or a proxy also causes
 * answers with 404 and 403.
 */
final class FcmFailures {

	private static final Logger logger = LoggerFactory.getLogger(FcmFailures.class);

	/** The detail of answers that FCM gives only for devices that are really gone. */
	static final String UNREGISTERED = "unregistered";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration LEAST_QUOTA_WAIT = Duration.ofSeconds(10);

	private final Clock clock;

	private final Runnable onAccessTokenRejected;

	private final LogThrottle thirdParty;

	private final LogThrottle access;

	/**
	 * Logs the problems that operators must fix.
	 * @param onAccessTokenRejected called, at most once a minute, when FCM did not accept
	 * the access token
	 */
	FcmFailures(Clock clock, Runnable onAccessTokenRejected) {
		this.clock = clock;
		this.onAccessTokenRejected = onAccessTokenRejected;
		this.thirdParty = new LogThrottle(clock);
		this.access = new LogThrottle(clock);
	}

	PushAnswer answer(FirebaseMessagingException failure, PushTarget target) {
		IncomingHttpResponse response = failure.getHttpResponse();
		if (response == null) {
			return PushAnswer.retry(isTimeout(failure) ? "timeout" : "connection-failed", null);
		}
		MessagingErrorCode code = failure.getMessagingErrorCode();
		return (code != null) ? byCode(code, response, target) : byStatus(response, target);
	}

	private PushAnswer byCode(MessagingErrorCode code, IncomingHttpResponse response, PushTarget target) {
		return switch (code) {
			case UNREGISTERED -> PushAnswer.gone(UNREGISTERED);
			case SENDER_ID_MISMATCH -> PushAnswer.gone("sender-id-mismatch: registered with another Firebase project");
			case INVALID_ARGUMENT -> invalidArgument(response, target, true);
			case THIRD_PARTY_AUTH_ERROR -> thirdPartyAuthError();
			case QUOTA_EXCEEDED -> quotaExceeded(response);
			case UNAVAILABLE -> PushAnswer.retry("unavailable", retryAfter(response));
			case INTERNAL -> PushAnswer.retry("internal", retryAfter(response));
		};
	}

	private PushAnswer byStatus(IncomingHttpResponse response, PushTarget target) {
		int status = response.getStatusCode();
		return switch (status) {
			case 400 -> invalidArgument(response, target, false);
			case 413 -> PushAnswer.refused("payload-too-large");
			case 401, 403, 404 -> noAccess(status);
			case 429 -> quotaExceeded(response);
			default -> PushAnswer.retry("http-" + status, (status >= 500) ? retryAfter(response) : MINUTE);
		};
	}

	/** FCM uses the same code for a bad target and for any other bad field. */
	private PushAnswer invalidArgument(IncomingHttpResponse response, PushTarget target, boolean fcmError) {
		FcmError error = FcmError.parse(response.getContent());
		if ((fcmError || !error.fields().isEmpty()) && error.isAboutTarget()) {
			return PushAnswer.gone("invalid-target");
		}
		return PushAnswer.refused("invalid-message: " + error.description(target.value()));
	}

	private PushAnswer thirdPartyAuthError() {
		if (this.thirdParty.pass()) {
			logger.error("FCM can't reach APNs or a web push service with the keys it has (THIRD_PARTY_AUTH_ERROR):"
					+ " check the APNs key and the web push key in the Firebase console. Pushes are retried until"
					+ " then.");
		}
		return PushAnswer.retry("third-party-auth-error", MINUTE);
	}

	private PushAnswer noAccess(int status) {
		if (this.access.pass()) {
			logger.error("FCM answers {} to this account: check chat.push.fcm.project-id and endpoint, that the FCM API"
					+ " is enabled in the project, and that the account may send messages (role"
					+ " roles/firebasecloudmessaging.admin). Pushes are retried until then.", status);
			if (status == 401) {
				this.onAccessTokenRejected.run();
			}
		}
		return PushAnswer.retry("no-access: http-" + status, MINUTE);
	}

	private PushAnswer quotaExceeded(IncomingHttpResponse response) {
		Duration requested = retryAfter(response);
		return PushAnswer.retry("quota-exceeded",
				(requested != null) ? RetryAfter.clamp(requested, LEAST_QUOTA_WAIT) : MINUTE);
	}

	private @Nullable Duration retryAfter(IncomingHttpResponse response) {
		return RetryAfter.of(response.getHeaders(), this.clock);
	}

	/** Returns whether the request timed out. The deadline cancels the request. */
	private static boolean isTimeout(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof CancellationException || cause instanceof java.net.SocketTimeoutException
					|| isSdkTimeout(cause.getMessage())) {
				return true;
			}
		}
		return false;
	}

	/** The SDK keeps no cause of these failures, only the message. */
	private static boolean isSdkTimeout(@Nullable String message) {
		return "Request Cancelled".equals(message) || "Write Timeout".equals(message);
	}

}
