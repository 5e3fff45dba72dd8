package io.parley.server.account;

import java.io.IOException;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.stereotype.Component;

/**
 * Answers requests without a valid token as the bearer scheme requires, with a problem
 * detail. A token of a sign-in that has ended, and one that cannot be checked while the
 * database or the keys of an issuer are unavailable, have their own codes.
 */
@Component
class UnauthorizedEntryPoint implements AuthenticationEntryPoint {

	private static final ChatException UNAUTHORIZED = ErrorCode.UNAUTHORIZED
		.because("The call needs a valid access token: sign in or refresh it.");

	private final AuthenticationEntryPoint bearer = new BearerTokenAuthenticationEntryPoint();

	private final Refusals refusals;

	UnauthorizedEntryPoint(Refusals refusals) {
		this.refusals = refusals;
	}

	@Override
	public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException ex)
			throws IOException, jakarta.servlet.ServletException {
		ChatException cause = (ex.getCause() instanceof ChatException known) ? known : UNAUTHORIZED;
		this.refusals.count(cause.errorCode());
		HttpStatus status = cause.errorCode().status();
		if (status == HttpStatus.UNAUTHORIZED) {
			this.bearer.commence(request, response, ex);
		}
		else {
			response.setStatus(status.value());
			response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(cause.retryAfterSeconds()));
		}
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter()
			.write("""
					{"title":"%s","status":%d,"code":"%s","detail":"%s"}""".formatted(status.getReasonPhrase(),
					status.value(), cause.errorCode().code(), cause.reason()));
	}

}
