package io.parley.server.websocket;

import java.net.HttpCookie;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.eclipse.jetty.websocket.api.ExtensionConfig;
import org.eclipse.jetty.websocket.api.UpgradeRequest;
import org.eclipse.jetty.websocket.api.UpgradeResponse;
import org.jspecify.annotations.Nullable;

/**
 * The part of the handshake that a session keeps: the sub-protocol. All sessions with the
 * same sub-protocol share one instance. Headers, query and cookies are not kept, because
 * they may contain tokens.
 */
final class UpgradeSummary implements UpgradeRequest, UpgradeResponse {

	private static final URI ENDPOINT = URI.create("/ws");

	private static final Map<String, UpgradeSummary> BY_PROTOCOL = new ConcurrentHashMap<>();

	private static final UpgradeSummary WITHOUT_PROTOCOL = new UpgradeSummary(null);

	private final @Nullable String protocol;

	private UpgradeSummary(@Nullable String protocol) {
		this.protocol = protocol;
	}

	/**
	 * Returns the shared instance for the sub-protocol chosen by the server. There are
	 * only a few.
	 */
	static UpgradeSummary of(@Nullable String protocol) {
		return (protocol != null) ? BY_PROTOCOL.computeIfAbsent(protocol, UpgradeSummary::new) : WITHOUT_PROTOCOL;
	}

	@Override
	public @Nullable String getAcceptedSubProtocol() {
		return this.protocol;
	}

	@Override
	public List<String> getSubProtocols() {
		return (this.protocol != null) ? List.of(this.protocol) : List.of();
	}

	@Override
	public boolean hasSubProtocol(String test) {
		return getSubProtocols().contains(test);
	}

	@Override
	public URI getRequestURI() {
		return ENDPOINT;
	}

	@Override
	public String getHttpVersion() {
		return "HTTP/1.1";
	}

	@Override
	public String getMethod() {
		return "GET";
	}

	@Override
	public String getProtocolVersion() {
		return "13";
	}

	@Override
	public int getStatusCode() {
		return 101;
	}

	@Override
	public List<ExtensionConfig> getExtensions() {
		return List.of();
	}

	@Override
	public @Nullable String getHeader(String name) {
		return null;
	}

	@Override
	public int getHeaderInt(String name) {
		return -1;
	}

	@Override
	public Set<String> getHeaderNames() {
		return Set.of();
	}

	@Override
	public Map<String, List<String>> getHeaders() {
		return Map.of();
	}

	@Override
	public List<String> getHeaders(String name) {
		return List.of();
	}

	@Override
	public List<HttpCookie> getCookies() {
		return List.of();
	}

	@Override
	public @Nullable String getHost() {
		return null;
	}

	@Override
	public @Nullable String getOrigin() {
		return null;
	}

	@Override
	public Map<String, List<String>> getParameterMap() {
		return Map.of();
	}

	@Override
	public @Nullable String getQueryString() {
		return null;
	}

	@Override
	public @Nullable Principal getUserPrincipal() {
		return null;
	}

	@Override
	public boolean isSecure() {
		return false;
	}

}
