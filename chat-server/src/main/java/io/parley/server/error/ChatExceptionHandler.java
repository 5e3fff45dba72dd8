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

	private final Refusals refusals;

	ChatExceptionHandler(Refusals refusals) {
		this.refusals = refusals;
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handleChatException(ChatException ex) {
		ResponseEntity.BodyBuilder response = ResponseEntity.status(ex.errorCode().status());
		if (ex.errorCode().isTemporary()) {
			response.header(HttpHeaders.RETRY_AFTER, String.valueOf(ex.retryAfterSeconds()));
		}
		return response.body(problem(ex.errorCode(), ex.reason()));
	}

	/**
	 * Handles malformed requests that Jetty detects while Spring reads them, such as a
	 * malformed form.
	 */
	@ExceptionHandler({ HttpException.IllegalArgumentException.class, HttpException.IllegalStateException.class,
			HttpException.RuntimeException.class })
	ResponseEntity<ProblemDetail> handleMalformedRequest(Exception ex) {
		return ResponseEntity.badRequest()
			.body(problem(ErrorCode.BAD_REQUEST, "The request is malformed; see docs/protocol.md."));
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handleOtherException(Exception ex) {
		ChatException temporary = StoreFailures.temporary(ex);
		if (temporary != null) {
			log.debug("The database was unavailable or busy for a request", ex);
			return handleChatException(temporary);
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
		if (ex.getMostSpecificCause() instanceof BodyRejectedException rejected) {
			return ResponseEntity.status(rejected.errorCode().status())
				.header(HttpHeaders.CONNECTION, "close")
				.body(problem(rejected.errorCode(), rejected.reason()));
		}
		return ResponseEntity.badRequest().body(problem(ErrorCode.BAD_REQUEST, unreadable(ex)));
	}

	private static String unreadable(HttpMessageNotReadableException ex) {
		if (ex.getCause() instanceof DatabindException mismatch && !mismatch.getPath().isEmpty()) {
			return "'" + mismatch.getPath().getFirst().getPropertyName()
					+ "' has an invalid value; see docs/protocol.md.";
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
			addCode(problem, (status.value() == 404) ? ErrorCode.NOT_FOUND : ErrorCode.BAD_REQUEST);
		}
		return response;
	}

	private ProblemDetail problem(ErrorCode errorCode, String detail) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(errorCode.status(), detail);
		addCode(problem, errorCode);
		return problem;
	}

	private void addCode(ProblemDetail problem, ErrorCode errorCode) {
		problem.setProperty("code", errorCode.code());
		this.refusals.count(errorCode);
	}

}
