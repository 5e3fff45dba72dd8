package io.parley.server.testing;

import io.parley.log.FreePorts;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** ActiveMQ Artemis in this JVM, with a plain STOMP acceptor. */
final class ArtemisBroker implements StompBroker {

	private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

	private final int port;

	ArtemisBroker(int port) {
		try {
			this.port = (port > 0) ? port : FreePorts.next();
			ConfigurationImpl configuration = new ConfigurationImpl();
			configuration.setPersistenceEnabled(false);
			configuration.setSecurityEnabled(false);
			configuration.setJMXManagementEnabled(false);
			configuration.addAcceptorConfiguration("stomp", "tcp://127.0.0.1:" + this.port + "?protocols=STOMP");
			this.broker.setConfiguration(configuration);
			this.broker.start();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Artemis does not start", ex);
		}
	}

	@Override
	public String kind() {
		return "artemis";
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public void close() {
		try {
			this.broker.stop();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
