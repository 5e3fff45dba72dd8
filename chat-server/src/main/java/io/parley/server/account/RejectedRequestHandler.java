package io.parley.server.account;

import java.io.IOException;

import io.parley.server.error.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.stereotype.Component;

/**
 * Answers the requests that Spring Security's firewall rejects, such as one whose path
 * can be read in two ways: status 400 and a problem detail.
 */
@Component
class RejectedRequestHandler implements RequestRejectedHandler {

	private static final Logger log = LoggerFactory.getLogger(RejectedRequestHandler.class);

	private static final String PROBLEM = """
			{"title":"Bad Request","status":400,"code":"%s","detail":"The server does not accept this request. \
			Check its method, its path and its headers."}""".formatted(ErrorCode.BAD_REQUEST.code());

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, RequestRejectedException ex)
			throws IOException {
		log.debug("Rejected a request", ex);
		response.setStatus(ErrorCode.BAD_REQUEST.status().value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		response.getWriter().write(PROBLEM);
	}

}
