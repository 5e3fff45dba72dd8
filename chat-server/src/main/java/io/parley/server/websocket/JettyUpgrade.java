package io.parley.server.websocket;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletCoreRequest;
import org.eclipse.jetty.ee11.servlet.ServletCoreResponse;
import org.eclipse.jetty.ee11.websocket.server.JettyWebSocketServerContainer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.common.JettyWebSocketFrameHandler;
import org.eclipse.jetty.websocket.common.JettyWebSocketFrameHandlerFactory;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.context.ServletContextAware;
import org.springframework.web.socket.WebSocketExtension;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeFailureException;
import org.springframework.web.socket.server.RequestUpgradeStrategy;

/**
 * Upgrades like Spring's strategy for Jetty, with two differences. It releases the HTTP
 * request after the upgrade; Jetty keeps it, and it would take more than half of the
 * memory of a session. And it disables compression, which takes about 0.3 MB outside the
 * heap for each session.
 */
public final class JettyUpgrade implements RequestUpgradeStrategy, ServletContextAware {

	private static final String[] VERSIONS = { "13" };

	/**
	 * Jetty allocates a buffer of this size for each text message, and most messages are
	 * heart-beats of one byte. A usual SEND fits; larger frames are read in pieces.
	 */
	private static final int INPUT_BUFFER_BYTES = 1024;

	private final Configuration.ConfigurationCustomizer settings = new Configuration.ConfigurationCustomizer();

	private final UpgradeCheck check;

	private @Nullable WebSocketMappings mappings;

	private @Nullable JettyWebSocketFrameHandlerFactory handlers;

	/**
	 * Creates the strategy.
	 * @param idleTimeout a socket without traffic in either direction for this time is
	 * closed
	 * @param frameBytes a larger message closes the socket
	 */
	public JettyUpgrade(UpgradeCheck check, Duration idleTimeout, long frameBytes) {
		this.check = check;
		this.settings.setIdleTimeout(idleTimeout);
		this.settings.setMaxTextMessageSize(frameBytes);
		this.settings.setMaxBinaryMessageSize(frameBytes);
		this.settings.setMaxFrameSize(frameBytes);
		this.settings.setInputBufferSize(INPUT_BUFFER_BYTES);
	}

	@Override
	public void setServletContext(ServletContext servletContext) {
		ServletContextHandler context = ServletContextHandler.getServletContextHandler(servletContext);
		if (context != null) {
			WebSocketMappings found = WebSocketMappings.ensureMappings(context);
			found.getWebSocketComponents().getExtensionRegistry().unregister("permessage-deflate");
			this.mappings = found;
			this.handlers = new JettyWebSocketFrameHandlerFactory(
					JettyWebSocketServerContainer.ensureContainer(servletContext), found.getWebSocketComponents());
		}
	}

	@Override
	public String[] getSupportedVersions() {
		return VERSIONS;
	}

	@Override
	public List<WebSocketExtension> getSupportedExtensions(ServerHttpRequest request) {
		return List.of();
	}

	@Override
	public void upgrade(ServerHttpRequest request, ServerHttpResponse response, @Nullable String selectedProtocol,
			List<WebSocketExtension> selectedExtensions, @Nullable Principal user, WebSocketHandler handler,
			Map<String, Object> attributes) {
		HttpServletRequest httpRequest = ((ServletServerHttpRequest) request).getServletRequest();
		HttpServletResponse httpResponse = ((ServletServerHttpResponse) response).getServletResponse();
		if (!admits(httpRequest, attributes, response)) {
			return;
		}
		Object endpoint = new JettyEndpoint(handler, attributes, user);
		upgrade(httpRequest, httpResponse, new Negotiator(endpoint, selectedProtocol));
	}

	/**
	 * Checks the limits. Called only for complete upgrades from an allowed origin,
	 * because only these count.
	 */
	private boolean admits(HttpServletRequest request, Map<String, Object> attributes, ServerHttpResponse response) {
		try {
			return this.check.admits(request.getRemoteAddr(), attributes, response);
		}
		catch (IOException ex) {
			throw new HandshakeFailureException("Failed to write the response to a rejected upgrade", ex);
		}
	}

	private void upgrade(HttpServletRequest httpRequest, HttpServletResponse httpResponse, Negotiator negotiator) {
		Request request = ServletCoreRequest.wrap(httpRequest);
		Response response = ServletCoreResponse.wrap(request, httpResponse, false);
		try (Blocker.Callback done = Blocker.callback()) {
			if (Objects.requireNonNull(this.mappings).upgrade(negotiator, request, response, done, this.settings)) {
				done.block();
			}
		}
		catch (IOException | RuntimeException ex) {
			throw new HandshakeFailureException("Failed to upgrade", ex);
		}
	}

	/** Creates the frame handler of one connection. */
	private final class Negotiator implements WebSocketNegotiator {

		private final Object endpoint;

		private final @Nullable String protocol;

		Negotiator(Object endpoint, @Nullable String protocol) {
			this.endpoint = endpoint;
			this.protocol = protocol;
		}

		@Override
		public FrameHandler negotiate(ServerUpgradeRequest request, ServerUpgradeResponse response, Callback callback) {
			if (this.protocol != null) {
				response.setAcceptedSubProtocol(this.protocol);
			}
			JettyWebSocketFrameHandler handler = Objects.requireNonNull(JettyUpgrade.this.handlers)
				.newJettyFrameHandler(this.endpoint);
			UpgradeSummary summary = UpgradeSummary.of(this.protocol);
			handler.setUpgradeRequest(summary);
			handler.setUpgradeResponse(summary);
			return new OutboxFrameHandler(handler);
		}

	}

}
