package io.parley.server.stomp;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Prepares the connectors for many clients at once, and closes the connections of those
 * that take their responses too slowly.
 */
@Component
class JettyConnectors implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

	/**
	 * Clients that all come back at once must not be reset by a short queue. The kernel
	 * cuts it to {@code net.core.somaxconn}.
	 */
	private static final int ACCEPT_QUEUE = 4_096;

	/**
	 * Below what the slowest network carries. Does not apply to WebSockets. There is no
	 * such rate for requests: Jetty counts from their first byte, so a small body that a
	 * busy server reads a moment later would be too slow. {@code BodyLimit} bounds the
	 * time instead.
	 */
	private static final int MIN_RESPONSE_BYTES_PER_SECOND = 2_048;

	/**
	 * By default Jetty runs 200 tasks at once, WebSocket reads too. So 200 requests that
	 * wait for their slow clients would stop the chat of all others. What waits is
	 * bounded where it waits: bodies in {@code BodiesUnderWay}, pages in
	 * {@code PageLimits}.
	 */
	private static final int NO_LIMIT = 0;

	@Override
	public void customize(JettyServletWebServerFactory factory) {
		factory.addServerCustomizers((server) -> {
			if (server.getThreadPool() instanceof VirtualThreadPool threads) {
				threads.setMaxConcurrentTasks(NO_LIMIT);
			}
			for (Connector connector : server.getConnectors()) {
				if (connector instanceof ServerConnector socket) {
					socket.setAcceptQueueSize(ACCEPT_QUEUE);
				}
				connector.getConnectionFactories()
					.stream()
					.filter(HttpConfiguration.ConnectionFactory.class::isInstance)
					.map((http) -> ((HttpConfiguration.ConnectionFactory) http).getHttpConfiguration())
					.forEach((http) -> http.setMinResponseDataRate(MIN_RESPONSE_BYTES_PER_SECOND));
			}
		});
	}

}
