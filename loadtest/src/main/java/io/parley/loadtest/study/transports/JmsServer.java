package io.parley.loadtest.study.transports;

import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * ActiveMQ Artemis without a journal, as the other servers keep nothing either; it also
 * speaks STOMP, so that it can be Parley's relay.
 */
final class JmsServer implements AutoCloseable {

	private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

	JmsServer(int port) throws Exception {
		ConfigurationImpl configuration = new ConfigurationImpl();
		configuration.setPersistenceEnabled(false);
		configuration.setSecurityEnabled(false);
		configuration.setJMXManagementEnabled(false);
		configuration.addAcceptorConfiguration("all", "tcp://127.0.0.1:" + port + "?protocols=CORE,STOMP");
		this.broker.setConfiguration(configuration);
		this.broker.start();
	}

	@Override
	public void close() throws Exception {
		this.broker.stop();
	}

}
