package io.parley.server.account;

import java.io.IOException;

import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.stereotype.Component;

/**
 * Answers requests without a valid token as the bearer scheme requires, with a problem
 * detail. A token that cannot be checked while the database is unavailable is not
 * reported as invalid.
 */
@Component
class UnauthorizedEntryPoint implements AuthenticationEntryPoint {

	private final AuthenticationEntryPoint bearer = new BearerTokenAuthenticationEntryPoint();

	@Override
	public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException ex)
			throws IOException, jakarta.servlet.ServletException {
		if (ex.getCause() instanceof ChatException cause) {
			writeProblem(response, cause);
			return;
		}
		this.bearer.commence(request, response, ex);
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter()
			.write("""
					{"title":"Unauthorized","status":401,"code":"%s","detail":"The call needs a valid access token: sign in or refresh it."}"""
				.formatted(ErrorCode.UNAUTHORIZED.code()));
	}

	private static void writeProblem(HttpServletResponse response, ChatException cause) throws IOException {
		response.setStatus(cause.errorCode().status().value());
		response.setHeader(HttpHeaders.RETRY_AFTER, "1");
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter()
			.write("""
					{"title":"Service Unavailable","status":%d,"code":"%s","detail":"%s"}"""
				.formatted(cause.errorCode().status().value(), cause.errorCode().code(), cause.reason()));
	}

}
