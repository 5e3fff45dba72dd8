package io.parley.fakefcm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * A server on 127.0.0.1 that answers as Firebase Cloud Messaging does, over HTTP/2 and
 * TLS, and fails as it is told. A second port without TLS gives access tokens and is for
 * control. Its memory is bounded: it counts everything and keeps the last 10,000
 * requests.
 */
public final class FakeFcm implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private final Behaviours behaviours = new Behaviours();

	private final Ledger ledger = new Ledger();

	private final Connections connections = new Connections();

	private final TokenHandler tokens = new TokenHandler();

	private final LoopResources threads = LoopResources.create("fake-fcm", 2, true);

	private final SendHandler sends;

	private final DisposableServer messages;

	private final DisposableServer control;

	private FakeFcm(FakeFcmOptions options) {
		this.sends = new SendHandler(this.behaviours, this.ledger, this.connections, options.latency());
		this.messages = HttpServer.create()
			.runOn(this.threads)
			.host(HOST)
			.port(options.port())
			.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
			.secure((tls) -> tls.sslContext(Http2SslContextSpec.forServer(Certificates.keys())))
			.http2Settings((http2) -> http2.maxConcurrentStreams(options.maxConcurrentStreams()))
			.route((routes) -> routes.post("/v1/projects/{project}/messages:send", this.sends::handle))
			.bindNow();
		this.control = HttpServer.create()
			.runOn(this.threads)
			.host(HOST)
			.port(options.controlPort())
			.route((routes) -> new ControlHandler(this).routes(routes.post("/token", this.tokens::handle)))
			.bindNow();
	}

	/** On free ports, without latency. */
	public static FakeFcm start() {
		return start(FakeFcmOptions.defaults());
	}

	public static FakeFcm start(FakeFcmOptions options) {
		return new FakeFcm(options);
	}

	/** Where messages are taken, such as {@code https://localhost:8443}. */
	public String endpoint() {
		return "https://localhost:" + this.messages.port();
	}

	/** Where tokens are given and the fake is controlled, without TLS. */
	public String control() {
		return "http://localhost:" + this.control.port();
	}

	/**
	 * Writes credentials with a key of this process, for the project {@code parley-test}.
	 */
	public Path serviceAccountFile(Path directory) {
		return ServiceAccount.write(directory, control() + "/token");
	}

	/** What clients must trust. */
	public X509Certificate trustCertificate() {
		return Certificates.certificate();
	}

	/** Writes what clients must trust as a PEM file. */
	public Path trustCertificateFile(Path directory) {
		try {
			Files.createDirectories(directory);
			return Files.write(directory.resolve("fake-fcm.crt"), Certificates.pem());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** From now on all requests get this, if nothing more particular was said. */
	public void behave(Behaviour behaviour) {
		this.behaviours.all(behaviour);
	}

	public void behave(Behaviour.Kind kind) {
		behave(Behaviour.of(kind));
	}

	/** From now on the requests of this token or installation id get this. */
	public void behave(String target, Behaviour behaviour) {
		this.behaviours.target(target, behaviour);
	}

	public void behave(String target, Behaviour.Kind kind) {
		behave(target, Behaviour.of(kind));
	}

	/** The first requests of each token get this, those after them what all get. */
	public void failFirst(int requests, Behaviour behaviour) {
		this.behaviours.first(requests, behaviour);
	}

	/** How long each answer takes from now on. */
	public void latency(Duration latency) {
		this.sends.latency(latency);
	}

	/** Whether access tokens are refused. */
	public void refuseTokens(boolean refuse) {
		this.tokens.refuse(refuse);
	}

	/** How many access tokens were given. */
	public long tokensGiven() {
		return this.tokens.given();
	}

	/** The last 10,000 requests, the oldest first. */
	public List<FcmRequest> requests() {
		return this.ledger.kept();
	}

	/** The last 10,000 requests that were {@linkplain Counts#delivered delivered}. */
	public List<FcmRequest> deliveries() {
		return this.ledger.keptDeliveries();
	}

	/** How many requests came for a token or installation id. */
	public int requests(String target) {
		return this.ledger.requests(target);
	}

	public Counts counts() {
		return this.ledger.counts(this.connections);
	}

	/** Returns when it was closed. */
	void await() {
		this.messages.onDispose().block();
	}

	/** Closes the ports and all connections. */
	@Override
	public void close() {
		this.messages.disposeNow();
		this.control.disposeNow();
		this.threads.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

}
