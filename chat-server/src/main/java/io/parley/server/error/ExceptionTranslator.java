package io.parley.server.error;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;

/**
 * Decides what a client is told when its frame or message fails. No other class converts
 * failures of frames. An unexpected failure is logged, and the client gets no details of
 * it.
 */
public final class ExceptionTranslator {

	private static final Logger log = LoggerFactory.getLogger(ExceptionTranslator.class);

	private ExceptionTranslator() {
	}

	/**
	 * Converts the failure of a frame. The session stays open.
	 * @param frame names the frame in the log
	 */
	public static ChatException ofFrame(Throwable failure, String frame) {
		ChatException known = known(failure);
		if (known != null) {
			return known;
		}
		log.error("{} failed", frame, failure);
		return ErrorCode.INTERNAL.because("The server failed to handle the frame.");
	}

	/**
	 * Converts the failure of a message, which may already be wrapped in a
	 * {@link CompletionException}.
	 */
	public static ChatException ofMessage(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		ChatException known = known(cause);
		if (known != null) {
			return known;
		}
		log.error("Failed to accept a message", cause);
		return ErrorCode.INTERNAL.because("The server failed to accept the message; send it again.");
	}

	/**
	 * Converts the failure of a frame that ends its session: a CONNECT that was rejected,
	 * or bytes that are not a frame. Spring has wrapped the failure.
	 */
	public static ChatException ofLastFrame(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			ChatException known = known(cause);
			if (known != null) {
				return known;
			}
		}
		return ErrorCode.BAD_FRAME.because("This is not a STOMP frame that the server can take here.");
	}

	private static @Nullable ChatException known(Throwable failure) {
		return switch (failure) {
			case ChatException error -> error;
			case MethodArgumentNotValidException emptyBody -> ErrorCode.BAD_MESSAGE.because("The frame has no body.");
			default -> StoreFailures.temporary(failure);
		};
	}

}
