package io.parley.server.headers;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers the requests that Jetty rejects before any handler, such as one with an invalid
 * path. Jetty closes the connection after such an answer but does not say so by itself: a
 * client would send its next request on that connection and get no answer.
 */
class InvalidRequests implements Request.Handler {

	private static final String PROBLEM = """
			{"title":"%s","status":%d,"code":"bad-request","detail":"The server cannot read this request. \
			Check its path and its headers."}""";

	private final SecurityHeaders security;

	InvalidRequests(SecurityHeaders security) {
		this.security = security;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) {
		this.security.add(request, response);
		HttpFields.Mutable headers = response.getHeaders();
		headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
		headers.put(HttpHeader.CONTENT_TYPE, "application/problem+json");
		headers.put(HttpHeader.CACHE_CONTROL, "no-store");
		int status = response.getStatus();
		Content.Sink.write(response, true, PROBLEM.formatted(HttpStatus.getMessage(status), status), callback);
		return true;
	}

}
