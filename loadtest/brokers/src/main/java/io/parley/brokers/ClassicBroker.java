package io.parley.brokers;

import java.net.URI;

import org.apache.activemq.ActiveMQConnectionMetaData;
import org.apache.activemq.broker.BrokerService;

/**
 * ActiveMQ Classic with default settings, but without storage, JMX and advisory messages.
 */
final class ClassicBroker implements Broker {

	private final BrokerService broker = new BrokerService();

	ClassicBroker(int port) {
		try {
			this.broker.setPersistent(false);
			this.broker.setUseJmx(false);
			this.broker.setAdvisorySupport(false);
			this.broker.addConnector(new URI("stomp+nio://127.0.0.1:" + port));
			this.broker.start();
			this.broker.waitUntilStarted();
		}
		catch (Exception ex) {
			throw new IllegalStateException("ActiveMQ Classic does not start", ex);
		}
	}

	@Override
	public String name() {
		return "ActiveMQ Classic " + ActiveMQConnectionMetaData.PROVIDER_VERSION;
	}

	@Override
	public void close() {
		try {
			this.broker.stop();
			this.broker.waitUntilStopped();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
