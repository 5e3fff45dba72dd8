package io.parley.server.testing;

import java.net.URI;

import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;

/** ActiveMQ Classic in this JVM, with its default plugins but without storage. */
public final class ClassicBroker implements StompBroker {

	private final BrokerService broker = new BrokerService();

	private final TransportConnector stomp;

	public ClassicBroker(int port, BrokerPlugin... plugins) {
		try {
			this.broker.setPlugins(plugins);
			this.broker.setPersistent(false);
			this.broker.setUseJmx(false);
			this.broker.setAdvisorySupport(false);
			this.stomp = this.broker.addConnector(new URI("stomp+nio://127.0.0.1:" + port));
			this.broker.start();
			this.broker.waitUntilStarted();
		}
		catch (Exception ex) {
			throw new IllegalStateException("ActiveMQ Classic does not start", ex);
		}
	}

	@Override
	public String kind() {
		return "activemq";
	}

	@Override
	public int port() {
		try {
			return this.stomp.getConnectUri().getPort();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
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
