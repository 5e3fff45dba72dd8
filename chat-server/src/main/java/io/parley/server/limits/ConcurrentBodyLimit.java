package io.parley.server.limits;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import io.parley.server.error.ErrorCode;
import io.parley.server.error.Refusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the number of concurrent requests with a body, because each holds a thread and
 * memory until its client has sent it. One address gets at most half of the slots.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class ConcurrentBodyLimit extends OncePerRequestFilter {

	private static final int MAX = 1_000;

	private static final int MAX_PER_ADDRESS = MAX / 2;

	private static final int RETRY_AFTER_SECONDS = 1;

	private final Semaphore permits = new Semaphore(MAX);

	private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

	private final ClientAddresses addresses;

	private final Refusals refusals;

	ConcurrentBodyLimit(ClientAddresses addresses, Refusals refusals) {
		this.addresses = addresses;
		this.refusals = refusals;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		boolean chunked = request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
		return request.getContentLengthLong() <= 0 && !chunked;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String address = this.addresses.key(request.getRemoteAddr());
		boolean fits = this.byAddress.merge(address, 1, Integer::sum) <= MAX_PER_ADDRESS
				|| this.addresses.isExempt(request.getRemoteAddr());
		try {
			if (!fits || !this.permits.tryAcquire()) {
				refuse(response);
				return;
			}
			try {
				chain.doFilter(request, response);
			}
			finally {
				this.permits.release();
			}
		}
		finally {
			this.byAddress.computeIfPresent(address, (key, count) -> (count > 1) ? count - 1 : null);
		}
	}

	private void refuse(HttpServletResponse response) throws IOException {
		this.refusals.count(ErrorCode.SERVER_BUSY);
		response.setStatus(ErrorCode.SERVER_BUSY.status().value());
		response.setIntHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		// The rest of the body is not read.
		response.setHeader(HttpHeaders.CONNECTION, "close");
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getWriter()
			.write("""
					{"title":"Service Unavailable","status":503,"code":"%s","detail":"Too many requests with a body are in progress. Try again in %d s."}"""
				.formatted(ErrorCode.SERVER_BUSY.code(), RETRY_AFTER_SECONDS));
	}

}
