package io.parley.loadtest.trial;

import java.net.URI;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Target;
import org.junit.jupiter.api.Test;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReadinessTests {

	private final Target target = new Target();

	@Test
	void refusesAServerThatIsNotReady() {
		DisposableServer server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.route((routes) -> routes.get("/readyz", (request, response) -> response.status(503).send()))
			.bindNow();
		this.target.url = URI.create("http://127.0.0.1:" + server.port());
		try {
			assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Preconditions.checkReady(this.target))
				.withMessageContaining("is not ready")
				.withMessageContaining("/readyz answers 503");
		}
		finally {
			server.disposeNow();
		}
		assertThatExceptionOfType(LoadTestException.class).as("when nobody listens")
			.isThrownBy(() -> Preconditions.checkReady(this.target))
			.withMessageContaining("./chat run");
	}

}
