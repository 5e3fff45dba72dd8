package io.parley.server.stomp;

import java.time.Duration;

import io.parley.server.session.SessionProperties;
import jakarta.servlet.ServletContext;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.server.jetty.JettyRequestUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/**
 * The upgrade to WebSocket on Jetty. Compression is switched off: it costs each session
 * about 0.3 MB outside the heap.
 */
@Component
class JettyHandshake extends DefaultHandshakeHandler {

	JettyHandshake(SessionProperties properties) {
		super(new Upgrade(properties.idleTimeout(), properties.frameBytes().toBytes()));
	}

	private static final class Upgrade extends JettyRequestUpgradeStrategy {

		Upgrade(Duration idleTimeout, long frameBytes) {
			addWebSocketConfigurer((webSockets) -> {
				webSockets.setIdleTimeout(idleTimeout);
				webSockets.setMaxTextMessageSize(frameBytes);
				webSockets.setMaxBinaryMessageSize(frameBytes);
				webSockets.setMaxFrameSize(frameBytes);
			});
		}

		@Override
		public void setServletContext(ServletContext servletContext) {
			super.setServletContext(servletContext);
			ServletContextHandler context = ServletContextHandler.getServletContextHandler(servletContext);
			if (context != null) {
				WebSocketServerComponents.getWebSocketComponents(context)
					.getExtensionRegistry()
					.unregister("permessage-deflate");
			}
		}

	}

}
