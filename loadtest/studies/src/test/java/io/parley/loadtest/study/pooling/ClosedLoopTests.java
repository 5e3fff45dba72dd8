package io.parley.loadtest.study.pooling;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.study.pooling.ClosedLoop.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ClosedLoopTests {

	private static final Duration SHORT = Duration.ofMillis(300);

	private final AtomicInteger requests = new AtomicInteger();

	private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

	private HttpServer server;

	/**
	 * First request that the server answers incorrectly.
	 */
	private volatile int wrongFrom = Integer.MAX_VALUE;

	private volatile int wrongStatus = 200;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", (exchange) -> {
			boolean wrong = this.requests.incrementAndGet() >= this.wrongFrom;
			byte[] body = (wrong ? "wrong" : "right").getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(wrong ? this.wrongStatus : 200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
		this.executor.close();
	}

	@Test
	void countsEveryAnswerOfEveryUser() throws InterruptedException {
		Level level = run();
		assertThat(level.errors()).isEmpty();
		assertThat(level.micros().getTotalCount()).isEqualTo(this.requests.get() - 1).isGreaterThan(5);
		assertThat(level.seconds()).isGreaterThanOrEqualTo(0.3);
		assertThat(level.errorShare()).isZero();
	}

	@Test
	void countsAnotherAnswerAsAnError() throws InterruptedException {
		this.wrongFrom = 3;
		Level level = run();
		assertThat(level.micros().getTotalCount()).isEqualTo(1);
		assertThat(level.errors()).containsEntry("another answer", this.requests.get() - 2L);
	}

	@Test
	void countsAnotherStatusAsAnError() throws InterruptedException {
		this.wrongFrom = 2;
		this.wrongStatus = 500;
		Level level = run();
		assertThat(level.errors()).containsEntry("status 500", this.requests.get() - 1L);
		assertThat(level.errorShare()).isEqualTo(100);
	}

	@Test
	void refusesToBeginWithAnError() {
		this.wrongFrom = 1;
		this.wrongStatus = 401;
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this::run).withMessageContaining("401");
	}

	@Test
	void givesBothServersTheSameSettingsExceptThePool() {
		PoolingCommand options = new PoolingCommand();
		Path folder = Path.of("folder");
		assertThat(options.settings(false, folder)).startsWith(options.settings(true, folder).toArray(String[]::new))
			.endsWith("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource")
			.hasSize(options.settings(true, folder).size() + 1);
	}

	private Level run() throws InterruptedException {
		URI url = URI.create("http://127.0.0.1:" + this.server.getAddress().getPort() + "/");
		try (ClosedLoop loop = new ClosedLoop(HttpRequest.newBuilder(url), () -> false)) {
			return loop.run(4, SHORT);
		}
	}

}
