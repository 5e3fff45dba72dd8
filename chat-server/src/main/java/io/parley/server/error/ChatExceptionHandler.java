package io.parley.server.error;

import java.util.stream.Collectors;

import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.DatabindException;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Maps exceptions to RFC 9457 problem details, with the code as an extra member. */
@RestControllerAdvice
class ChatExceptionHandler extends ResponseEntityExceptionHandler {

	private static final Logger log = LoggerFactory.getLogger(ChatExceptionHandler.class);

	@ExceptionHandler
	ResponseEntity<ProblemDetail> refused(ChatException ex) {
		ResponseEntity.BodyBuilder response = ResponseEntity.status(ex.refusal().status());
		if (ex.refusal().status().is5xxServerError() || ex.refusal() == ErrorCode.RATE_LIMITED) {
			// Rounded up, so that no client retries too early.
			response.header(HttpHeaders.RETRY_AFTER,
					String.valueOf(ex.retryAfter().plusNanos(999_999_999).toSeconds()));
		}
		return response.body(problem(ex.refusal(), ex.reason()));
	}

	/**
	 * Handles malformed requests that Jetty detects while Spring reads them, such as a
	 * malformed form.
	 */
	@ExceptionHandler({ HttpException.IllegalArgumentException.class, HttpException.IllegalStateException.class,
			HttpException.RuntimeException.class })
	ResponseEntity<ProblemDetail> malformed(Exception ex) {
		return ResponseEntity.badRequest()
			.body(problem(ErrorCode.BAD_REQUEST, "The request is malformed; see docs/protocol.md."));
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> failed(Exception ex) {
		if (StoreFailures.isAway(ex)) {
			log.debug("A request found no database", ex);
			return refused(StoreFailures.unavailable());
		}
		log.error("Request failed", ex);
		return ResponseEntity.internalServerError()
			.body(problem(ErrorCode.INTERNAL, "The server failed to handle the request; its log says why."));
	}

	/** Says which field is invalid and why. */
	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		String fields = ex.getBindingResult()
			.getFieldErrors()
			.stream()
			.map((error) -> "'" + error.getField() + "' " + error.getDefaultMessage())
			.sorted()
			.collect(Collectors.joining("; "));
		return ResponseEntity.badRequest().body(problem(ErrorCode.BAD_REQUEST, fields + "."));
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		if (ex.getMostSpecificCause() instanceof BodyRejectedException refused) {
			return ResponseEntity.status(refused.refusal().status())
				.header(HttpHeaders.CONNECTION, "close")
				.body(problem(refused.refusal(), refused.reason()));
		}
		return ResponseEntity.badRequest().body(problem(ErrorCode.BAD_REQUEST, unreadable(ex)));
	}

	private static String unreadable(HttpMessageNotReadableException ex) {
		if (ex.getCause() instanceof DatabindException wrong && !wrong.getPath().isEmpty()) {
			return "'" + wrong.getPath().getFirst().getPropertyName()
					+ "' has a value that it cannot have; see docs/protocol.md.";
		}
		return "The body is not the JSON that is expected here; see docs/protocol.md.";
	}

	/**
	 * Adds a code to the errors that Spring reports itself, such as a wrong method or
	 * path.
	 */
	@Override
	protected @Nullable ResponseEntity<Object> handleExceptionInternal(Exception ex, @Nullable Object body,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		ResponseEntity<Object> response = super.handleExceptionInternal(ex, body, headers, status, request);
		if (response != null && response.getBody() instanceof ProblemDetail problem) {
			problem.setProperty("code",
					(status.value() == 404) ? ErrorCode.NOT_FOUND.code() : ErrorCode.BAD_REQUEST.code());
		}
		return response;
	}

	private static ProblemDetail problem(ErrorCode refusal, String detail) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(refusal.status(), detail);
		problem.setProperty("code", refusal.code());
		return problem;
	}

}
