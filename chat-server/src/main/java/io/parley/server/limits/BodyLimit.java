package io.parley.server.limits;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

import io.parley.server.error.BodyRejectedException;
import io.parley.server.error.ErrorCode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the body of every request before it is buffered. A body with a larger declared
 * length is refused without buffering it; any other body is cut off at the limit. A body
 * that takes too long is cut off too. Runs before all other filters, so that the limit
 * also applies to requests without a token.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BodyLimit extends OncePerRequestFilter {

	/** More than any API request needs; messages are smaller. */
	private static final int MAX_BYTES = 64 * 1024;

	/** A larger body is not read at all. */
	private static final int MAX_DISCARDED = 1024 * 1024;

	/** Keeps a client from holding a request open by sending a byte now and then. */
	private static final Duration MAX_DURATION = Duration.ofSeconds(30);

	private static final long MAX_NANOS = MAX_DURATION.toNanos();

	private static final String TOO_LARGE = "The body of a request may have at most " + MAX_BYTES / 1024
			+ " KB; send less at once.";

	private static final byte[] PROBLEM = """
			{"title":"Content Too Large","status":413,"code":"%s","detail":"%s"}"""
		.formatted(ErrorCode.MESSAGE_TOO_LARGE.code(), TOO_LARGE)
		.getBytes(StandardCharsets.UTF_8);

	private static final String TOO_SLOW = "The body of a request must arrive within " + MAX_DURATION.toSeconds()
			+ " s; send it again.";

	/** Methods whose body is never read; a WebSocket upgrade is a GET. */
	private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "OPTIONS");

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (request.getContentLengthLong() > MAX_BYTES) {
			response.setStatus(ErrorCode.MESSAGE_TOO_LARGE.status().value());
			response.setHeader(HttpHeaders.CONNECTION, "close");
			response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
			response.setContentLength(PROBLEM.length);
			response.getOutputStream().write(PROBLEM);
			response.flushBuffer();
			discard(request);
			return;
		}
		chain.doFilter(WITHOUT_BODY.contains(request.getMethod()) ? request : new BoundedRequest(request), response);
	}

	/**
	 * Reads the rest of a body that is not much too large. If the connection was closed
	 * while data is unread, it would be reset, and the client could lose the answer.
	 */
	private static void discard(HttpServletRequest request) {
		if (request.getContentLengthLong() <= MAX_DISCARDED) {
			try {
				new BoundedInput(request.getInputStream(), MAX_DISCARDED).transferTo(OutputStream.nullOutputStream());
			}
			catch (IOException ex) {
				// The client has its answer, or has gone.
			}
		}
	}

	private static final class BoundedRequest extends HttpServletRequestWrapper {

		BoundedRequest(HttpServletRequest request) {
			super(request);
		}

		@Override
		public ServletInputStream getInputStream() throws IOException {
			return new BoundedInput(super.getInputStream(), MAX_BYTES);
		}

		@Override
		public BufferedReader getReader() throws IOException {
			return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
		}

	}

	private static final class BoundedInput extends ServletInputStream {

		private final ServletInputStream input;

		private final long startedAt = System.nanoTime();

		private int remaining;

		BoundedInput(ServletInputStream input, int maxBytes) {
			this.input = input;
			this.remaining = maxBytes;
		}

		@Override
		public int read() throws IOException {
			int read = this.input.read();
			if (read >= 0) {
				count(1);
			}
			return read;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			int read = this.input.read(buffer, offset, length);
			count(Math.max(0, read));
			return read;
		}

		private void count(int bytes) throws IOException {
			this.remaining -= bytes;
			if (this.remaining < 0) {
				throw new BodyRejectedException(ErrorCode.MESSAGE_TOO_LARGE, TOO_LARGE);
			}
			if (System.nanoTime() - this.startedAt > MAX_NANOS) {
				throw new BodyRejectedException(ErrorCode.BAD_REQUEST, TOO_SLOW);
			}
		}

		@Override
		public boolean isFinished() {
			return this.input.isFinished();
		}

		@Override
		public boolean isReady() {
			return this.input.isReady();
		}

		@Override
		public void setReadListener(ReadListener listener) {
			this.input.setReadListener(listener);
		}

	}

}
