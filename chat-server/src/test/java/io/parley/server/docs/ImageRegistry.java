package io.parley.server.docs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A registry from which a Docker engine on this machine can pull. All its images have the
 * same content and no layers. Engines use HTTP for loopback addresses.
 */
final class ImageRegistry implements AutoCloseable {

	private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

	private static final byte[] CONFIG = """
			{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}"""
		.getBytes(StandardCharsets.UTF_8);

	/** Manifests by the path of their tag and of their digest. */
	private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();

	private final HttpServer server;

	ImageRegistry() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	/**
	 * Publishes an image. Images of different publishers differ in their digests only.
	 * @return the digest
	 */
	String publish(String name, String tag, String publisher) {
		byte[] manifest = """
				{"schemaVersion":2,"mediaType":"%s","publisher":"%s","layers":[],"config":\
				{"mediaType":"application/vnd.docker.container.image.v1+json","size":%d,"digest":"%s"}}"""
			.formatted(MANIFEST, publisher, CONFIG.length, digest(CONFIG))
			.getBytes(StandardCharsets.UTF_8);
		this.manifests.put("/v2/" + name + "/manifests/" + tag, manifest);
		this.manifests.put("/v2/" + name + "/manifests/" + digest(manifest), manifest);
		return digest(manifest);
	}

	/** Returns the name of an image for the engine. */
	String image(String nameAndTag) {
		return "127.0.0.1:" + this.server.getAddress().getPort() + "/" + nameAndTag;
	}

	private void answer(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().getPath();
		byte[] manifest = this.manifests.get(path);
		if (path.equals("/v2/")) {
			send(exchange, 200, "application/json", new byte[] { '{', '}' });
		}
		else if (manifest != null) {
			exchange.getResponseHeaders().set("Docker-Content-Digest", digest(manifest));
			send(exchange, 200, MANIFEST, manifest);
		}
		else if (path.endsWith("/blobs/" + digest(CONFIG))) {
			send(exchange, 200, "application/octet-stream", CONFIG);
		}
		else {
			send(exchange, 404, "application/json", "{\"errors\":[]}".getBytes(StandardCharsets.UTF_8));
		}
	}

	private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
		try (exchange) {
			exchange.getResponseHeaders().set("Content-Type", type);
			if (exchange.getRequestMethod().equals("HEAD")) {
				exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
				exchange.sendResponseHeaders(status, -1);
			}
			else {
				exchange.sendResponseHeaders(status, body.length);
				exchange.getResponseBody().write(body);
			}
		}
	}

	private static String digest(byte[] content) {
		try {
			return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
