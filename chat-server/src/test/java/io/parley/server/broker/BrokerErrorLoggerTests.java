package io.parley.server.broker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parley.server.testing.ClassicBroker;
import org.apache.activemq.broker.Broker;
import org.apache.activemq.broker.ConnectionContext;
import org.apache.activemq.command.ConnectionInfo;
import org.apache.activemq.security.SimpleAuthenticationBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Connects to a real broker that refuses the login. */
class BrokerErrorLoggerTests {

	private static final String PASSWORD = "a secret";

	private final Logger logger = (Logger) LoggerFactory.getLogger(BrokerErrorLogger.class.getPackageName());

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final AtomicInteger logins = new AtomicInteger();

	private final ClassicBroker broker = new ClassicBroker(0, this::refusing);

	private BrokerTcp tcp;

	private BrokerLink link;

	private Broker refusing(Broker next) {
		return new SimpleAuthenticationBroker(next, Map.of(), Map.of()) {

			@Override
			public void addConnection(ConnectionContext context, ConnectionInfo info) throws Exception {
				BrokerErrorLoggerTests.this.logins.incrementAndGet();
				super.addConnection(context, info);
			}

		};
	}

	@BeforeEach
	void connect() {
		this.log.start();
		this.logger.addAppender(this.log);
		BrokerProperties.Relay properties = new BrokerProperties.Relay(BrokerProperties.Connections.PER_NODE,
				BrokerProperties.Kind.ACTIVEMQ, List.of("127.0.0.1"), this.broker.port(), "parley", PASSWORD, "/");
		this.tcp = new BrokerTcp(properties);
		this.link = new BrokerLink(properties, this.tcp, List::of);
		this.link.start();
	}

	@AfterEach
	void stop() {
		this.link.stop();
		this.tcp.destroy();
		this.broker.close();
		this.logger.detachAppender(this.log);
	}

	@Test
	void logsARefusedLoginOnceWithTheReason() {
		await().until(() -> this.logins.get() > 2);
		List<ILoggingEvent> warnings = List.copyOf(this.log.list)
			.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.toList();
		assertThat(warnings).hasSize(1).allSatisfy((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getThrowableProxy()).isNull();
			assertThat(event.getFormattedMessage()).contains("User name [parley] or password is invalid")
				.contains("port " + this.broker.port())
				.doesNotContain("\n", PASSWORD);
		});
	}

}
