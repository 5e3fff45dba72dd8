package io.parley.server.stomp;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ServerConnector;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Clients that all come back at once must not be reset by a short accept queue. The
 * kernel cuts it to {@code net.core.somaxconn}.
 */
@Component
class AcceptQueue implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

	private static final int SIZE = 4_096;

	@Override
	public void customize(JettyServletWebServerFactory factory) {
		factory.addServerCustomizers((server) -> {
			for (Connector connector : server.getConnectors()) {
				if (connector instanceof ServerConnector socket) {
					socket.setAcceptQueueSize(SIZE);
				}
			}
		});
	}

}
