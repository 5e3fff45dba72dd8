package io.parley.server.headers;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.server.issuer.IssuerProperties;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Adds the security headers to every response to a client, whatever answers: a
 * controller, a static file, a filter, or Jetty itself. Filters would not be enough,
 * because some of them answer before the others run, and {@code /ws} has none.
 */
@Component
class SecurityHeaders implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; connect-src %s; img-src 'self' data:; "
			+ "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

	/** For requests over TLS only: browsers ignore the header otherwise. One year. */
	private static final HttpField STRICT_TRANSPORT = new PreEncodedHttpField("Strict-Transport-Security",
			"max-age=31536000; includeSubDomains");

	private final List<HttpField> fields;

	SecurityHeaders(HeaderProperties properties, IssuerProperties issuers) {
		String connect = Stream
			.of(List.of("'self'"), properties.connectOrigins(),
					issuers.pageOrigins().stream().filter((origin) -> origin.matches(HeaderProperties.ORIGIN)).toList())
			.flatMap(List::stream)
			.distinct()
			.collect(Collectors.joining(" "));
		this.fields = List.of(
				new PreEncodedHttpField("Content-Security-Policy", CONTENT_SECURITY_POLICY.formatted(connect)),
				new PreEncodedHttpField("Cross-Origin-Opener-Policy", "same-origin"),
				new PreEncodedHttpField("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
				new PreEncodedHttpField("Referrer-Policy", "no-referrer"),
				new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
				new PreEncodedHttpField("X-Frame-Options", "DENY"));
	}

	@Override
	public void customize(JettyServletWebServerFactory factory) {
		factory.addServerCustomizers((server) -> {
			server.setHandler(new HeaderHandler(server.getHandler()));
			server.setErrorHandler(new InvalidRequests(this));
		});
	}

	void add(Request request, Response response) {
		HttpFields.Mutable headers = response.getHeaders();
		this.fields.forEach(headers::put);
		if (request.isSecure()) {
			headers.put(STRICT_TRANSPORT);
		}
	}

	/** Adds the headers to responses to requests that Jetty can read. */
	private final class HeaderHandler extends Handler.Wrapper {

		HeaderHandler(Handler handler) {
			super(handler);
		}

		@Override
		public boolean handle(Request request, Response response, Callback callback) throws Exception {
			add(request, response);
			return super.handle(request, response, callback);
		}

	}

}
