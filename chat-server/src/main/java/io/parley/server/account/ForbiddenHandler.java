package io.parley.server.account;

import java.io.IOException;
import java.util.Map;

import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.stereotype.Component;

/**
 * Refuses the writes of suspended users, and requests that need operator rights: status
 * 403 and a problem detail.
 */
@Component
class ForbiddenHandler implements AccessDeniedHandler {

	private final AuditLog audit;

	private final Refusals refusals;

	ForbiddenHandler(AuditLog audit, Refusals refusals) {
		this.audit = audit;
		this.refusals = refusals;
	}

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException ex)
			throws IOException {
		if (request.getUserPrincipal() instanceof Authentication user && !SecurityConfiguration.mayWrite(user)) {
			write(response, ErrorCode.SUSPENDED, "Your account is suspended: you can read, but not write.");
			return;
		}
		this.audit.record(AuditAction.AUTHZ_FAIL, Actor.of(request), null,
				Map.of("method", request.getMethod(), "path", request.getServletPath()));
		write(response, ErrorCode.NOT_ALLOWED, "Only operators may do this.");
	}

	private void write(HttpServletResponse response, ErrorCode code, String sentence) throws IOException {
		this.refusals.count(code);
		response.setStatus(code.status().value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter().write("""
				{"title":"Forbidden","status":403,"code":"%s","detail":"%s"}""".formatted(code.code(), sentence));
	}

}
