package io.parley.server.account;

import java.io.IOException;

import io.parley.server.error.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.stereotype.Component;

/**
 * Refuses requests that need operator rights: status 403 and a problem detail.
 */
@Component
class ForbiddenHandler implements AccessDeniedHandler {

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException ex)
			throws IOException {
		response.setStatus(ErrorCode.NOT_ALLOWED.status().value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter()
			.write("""
					{"title":"Forbidden","status":403,"code":"%s","detail":"Only operators may do this: see chat.security.operators."}"""
				.formatted(ErrorCode.NOT_ALLOWED.code()));
	}

}
