package io.parley.server.docs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * A registry from which a Docker engine on this machine can pull. All its images have the
 * same content and no layers. Engines use HTTP for loopback addresses, after they have
 * tried TLS: a server that does not refuse it at once costs them 10 seconds.
 */
final class ImageRegistry implements AutoCloseable {

	private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

	private static final byte[] CONFIG = """
			{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}"""
		.getBytes(StandardCharsets.UTF_8);

	/** Manifests by the path of their tag and of their digest. */
	private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();

	private final Server server = new Server();

	private final ServerConnector connector = new ServerConnector(this.server, 1, 1);

	ImageRegistry() throws Exception {
		this.connector.setHost("127.0.0.1");
		this.server.addConnector(this.connector);
		this.server.setHandler(new Answers());
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
		return "127.0.0.1:" + this.connector.getLocalPort() + "/" + nameAndTag;
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
	public void close() throws Exception {
		this.server.stop();
	}

	private final class Answers extends Handler.Abstract {

		@Override
		public boolean handle(Request request, Response response, Callback callback) {
			String path = Request.getPathInContext(request);
			byte[] manifest = ImageRegistry.this.manifests.get(path);
			if (path.equals("/v2/")) {
				send(response, 200, "application/json", new byte[] { '{', '}' }, callback);
			}
			else if (manifest != null) {
				response.getHeaders().put("Docker-Content-Digest", digest(manifest));
				send(response, 200, MANIFEST, manifest, callback);
			}
			else if (path.endsWith("/blobs/" + digest(CONFIG))) {
				send(response, 200, "application/octet-stream", CONFIG, callback);
			}
			else {
				send(response, 404, "application/json", "{\"errors\":[]}".getBytes(StandardCharsets.UTF_8), callback);
			}
			return true;
		}

		/** Jetty leaves out the body of an answer to HEAD. */
		private static void send(Response response, int status, String type, byte[] body, Callback callback) {
			response.setStatus(status);
			response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
			response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
			response.write(true, ByteBuffer.wrap(body), callback);
		}

	}

}
