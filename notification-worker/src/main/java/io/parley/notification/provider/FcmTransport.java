package io.parley.notification.provider;

import java.net.URI;
import java.nio.channels.ClosedSelectorException;
import java.util.concurrent.ThreadFactory;

import javax.net.ssl.SSLContext;

import com.google.firebase.internal.ApacheHttp2Transport;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.H2AsyncClientBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/**
 * Creates the HTTP transport of the SDK: few connections, to the configured endpoint,
 * with timeouts.
 */
final class FcmTransport {

	private static final Logger logger = LoggerFactory.getLogger(FcmTransport.class);

	private static final ThreadFactory THREADS = Thread.ofPlatform().daemon().name("fcm-connection-", 0).factory();

	private final FcmProperties properties;

	private final HttpHost endpoint;

	private final TlsStrategy tls;

	private FcmTransport(FcmProperties properties, SslBundles bundles) {
		this.properties = properties;
		this.endpoint = endpoint(properties.endpoint());
		this.tls = ClientTlsStrategyBuilder.create().setSslContext(context(properties, bundles)).buildAsync();
	}

	/** Creates a transport, which the caller must shut down. */
	static ApacheHttp2Transport create(FcmProperties properties, SslBundles bundles) {
		FcmTransport transport = new FcmTransport(properties, bundles);
		int connections = Math.ceilDiv(properties.concurrency(), FcmConnection.STREAMS);
		return new ApacheHttp2Transport(
				new MultiplexingClient(connections, properties.readTimeout(), transport::connection));
	}

	private static HttpHost endpoint(URI uri) {
		if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
			throw new FcmSettingsException("chat.push.fcm.endpoint=" + uri
					+ " is not a valid address of FCM: set it to https:// with a host, and a port if needed.");
		}
		return new HttpHost("https", uri.getHost(), (uri.getPort() > 0) ? uri.getPort() : 443);
	}

	private static SSLContext context(FcmProperties properties, SslBundles bundles) {
		String name = properties.sslBundle();
		if (name == null || name.isBlank()) {
			return SSLContexts.createSystemDefault();
		}
		try {
			return bundles.getBundle(name).createSslContext();
		}
		catch (NoSuchSslBundleException ex) {
			throw new FcmSettingsException("There is no SSL bundle " + name + ": define spring.ssl.bundle.pem." + name
					+ " or set another chat.push.fcm.ssl-bundle.", ex);
		}
	}

	/** Creates a client that opens one connection and uses one thread for it. */
	private CloseableHttpAsyncClient connection() {
		Timeout connectTimeout = Timeout.of(this.properties.connectTimeout());
		return H2AsyncClientBuilder.create()
			.setThreadFactory(THREADS)
			.setIoReactorExceptionCallback(FcmTransport::log)
			.setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).setTcpNoDelay(true).build())
			.setH2Config(H2Config.custom().setPushEnabled(false).build())
			.setDefaultConnectionConfig(ConnectionConfig.custom()
				.setConnectTimeout(connectTimeout)
				// Without it the connect timeout applies, and closes a connection on
				// which answers take longer.
				.setSocketTimeout(Timeout.ofMinutes(10))
				.setValidateAfterInactivity(TimeValue.ofSeconds(30))
				.build())
			.setTlsStrategy(this.tls)
			.setRoutePlanner((target, context) -> new HttpRoute(this.endpoint, null, true))
			.addRequestInterceptorFirst(this::address)
			.addResponseInterceptorFirst(FcmTransport::preventRetries)
			.disableRedirectHandling()
			.disableAutomaticRetries()
			.disableCookieManagement()
			.disableAuthCaching()
			.build();
	}

	/**
	 * Logs a failure of an I/O thread. The thread of a connection that is closed at once
	 * finds its selector closed, which is not logged.
	 */
	private static void log(Exception failure) {
		if (!(failure instanceof ClosedSelectorException)) {
			logger.warn("An I/O thread of the FCM connections failed", failure);
		}
	}

	/** Replaces the address, because the SDK only knows fcm.googleapis.com. */
	private void address(HttpRequest request, EntityDetails entity, HttpContext context) {
		request.setAuthority(new URIAuthority(this.endpoint));
	}

	/**
	 * Prevents retries by the SDK. On 503 it would sleep up to 4 minutes and retry. On
	 * 401 it would get a new access token and retry, 4 times for each message, unless the
	 * response names the Bearer scheme without an error.
	 */
	private static void preventRetries(HttpResponse response, EntityDetails entity, HttpContext context) {
		if (response.getCode() == 503) {
			response.setCode(500);
		}
		if (response.getCode() == 401) {
			response.setHeader("WWW-Authenticate", "Bearer realm=\"fcm\"");
		}
	}

}
