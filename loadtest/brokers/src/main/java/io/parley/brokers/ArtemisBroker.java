package io.parley.brokers;

import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * ActiveMQ Artemis without a journal, for STOMP and for its own JMS client.
 */
final class ArtemisBroker implements Broker {

	/**
	 * Turns off direct delivery, which is on by default: with it, about one message in
	 * several million was lost or late when hundreds of senders shared a topic.
	 */
	private static final String OPTIONS = "?protocols=CORE,STOMP&directDeliver=false";

	private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

	ArtemisBroker(int port) {
		try {
			ConfigurationImpl configuration = new ConfigurationImpl();
			configuration.setPersistenceEnabled(false);
			configuration.setSecurityEnabled(false);
			configuration.setJMXManagementEnabled(false);
			configuration.addAcceptorConfiguration("all", "tcp://127.0.0.1:" + port + OPTIONS);
			this.broker.setConfiguration(configuration);
			this.broker.start();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Artemis does not start", ex);
		}
	}

	@Override
	public String name() {
		return "ActiveMQ Artemis " + this.broker.getActiveMQServer().getVersion().getFullVersion();
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
