package io.parley.trace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import io.parley.events.MessagePosted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TracingAutoConfigurationTests {

	private final ApplicationContextRunner program = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TracingAutoConfiguration.class));

	private record Request(String path, String authorization, String body) {
	}

	@ParameterizedTest
	@ValueSource(strings = { "chat.tracing.share=1", "chat.tracing.endpoint=" })
	void isOffWithoutAnEndpoint(String property) {
		this.program.withPropertyValues(property)
			.run((context) -> assertThat(context.getBean(MessageTracer.class).isOn()).isFalse());
	}

	@Test
	void exportsWhenTheProgramEnds() throws Exception {
		LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();
		HttpServer receiver = receiver(requests);
		MessagePosted message = message();
		try {
			this.program
				.withPropertyValues(
						"chat.tracing.endpoint=http://127.0.0.1:" + receiver.getAddress().getPort() + "/v1/traces",
						"chat.tracing.headers.Authorization=Bearer 7", "chat.tracing.share=1",
						"spring.application.name=the-program", "chat.node.id=node-1")
				.run((context) -> context.getBean(MessageTracer.class).appended(message, 42L, Instant.now(), null));
		}
		finally {
			receiver.stop(0);
		}
		Request request = requests.poll(10, TimeUnit.SECONDS);
		assertThat(request).isNotNull();
		assertThat(request.path()).isEqualTo("/v1/traces");
		assertThat(request.authorization()).isEqualTo("Bearer 7");
		assertThat(request.body()).contains("the-program", "node-1", "parley", "send", "append", message.id());
	}

	/** Nobody listens there. Errors in the log would raise an alert. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void stopsWithoutAReceiverAndWarns(CapturedOutput output) {
		this.program.withPropertyValues("chat.tracing.endpoint=http://127.0.0.1:9/v1/traces", "chat.tracing.share=1")
			.run((context) -> {
				context.getBean(MessageTracer.class).appended(message(), 42L, Instant.now(), null);
				context.close();
				assertThat(context.getSourceApplicationContext().isActive()).isFalse();
			});
		await().untilAsserted(() -> assertThat(output)
			.contains("2 spans could not be sent to http://127.0.0.1:9/v1/traces and are dropped: "));
		assertThat(output).doesNotContain("ERROR", "SEVERE", "Failed to export");
	}

	@ParameterizedTest
	@ValueSource(strings = { "chat.tracing.endpoint=localhost:4317", "chat.tracing.endpoint=grpc://collector:4317",
			"chat.tracing.endpoint=http://", "chat.tracing.share=1.5", "chat.tracing.share=-1",
			"chat.tracing.share=NaN" })
	void rejectsOtherSettings(String property) {
		this.program.withPropertyValues(property).run((context) -> assertThat(context).hasFailed());
	}

	private static HttpServer receiver(LinkedBlockingQueue<Request> requests) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
			requests.add(new Request(exchange.getRequestURI().getPath(),
					String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")), body));
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		server.start();
		return server;
	}

	private static MessagePosted message() {
		return new MessagePosted("room-1", UUID.randomUUID().toString(), "anna", "c1",
				Instant.now().truncatedTo(ChronoUnit.MILLIS), "text", Map.of());
	}

}
