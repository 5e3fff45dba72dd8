package io.parley.server.websocket;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Configures Jetty's threads and connectors for many concurrent clients, and closes the
 * connections of clients that read their responses too slowly.
 */
@Component
class JettyConnectors implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

	/**
	 * Length of the accept queue, so that clients that all reconnect at once are not
	 * reset. The kernel limits it to {@code net.core.somaxconn}.
	 */
	private static final int ACCEPT_QUEUE = 4_096;

	/**
	 * Below the throughput of the slowest networks. Does not apply to WebSockets. There
	 * is no such minimum for requests: Jetty measures the rate from the first byte, so a
	 * small body that a busy server reads a moment later would count as too slow.
	 * {@code BodyLimit} limits the time instead.
	 */
	private static final int MIN_RESPONSE_BYTES_PER_SECOND = 2_048;

	/**
	 * By default Jetty runs at most 200 tasks at once, including WebSocket reads. So 200
	 * requests that wait for slow clients would block the chat of all other clients.
	 * Waiting requests are limited elsewhere: bodies in {@code ConcurrentBodyLimit},
	 * pages in {@code PageLimits}.
	 */
	private static final int NO_LIMIT = 0;

	@Override
	public void customize(JettyServletWebServerFactory factory) {
		factory.setThreadPool(threads());
		factory.addServerCustomizers((server) -> {
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

	/**
	 * Returns the threads that Jetty recommends: platform threads wait for the network,
	 * virtual threads handle what arrives. With Spring Boot's default all are virtual,
	 * and then each frame needs more switches between threads. No platform thread is
	 * reserved for tasks that may block, so all of these run on virtual threads.
	 */
	private static ThreadPool threads() {
		VirtualThreadPool tasks = new VirtualThreadPool();
		tasks.setMaxConcurrentTasks(NO_LIMIT);
		QueuedThreadPool threads = new QueuedThreadPool();
		threads.setName("jetty");
		threads.setReservedThreads(0);
		threads.setVirtualThreadsExecutor(tasks);
		return threads;
	}

}
