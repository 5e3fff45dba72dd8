package io.parley.loadtest.study.transports;

import java.util.List;

import io.parley.loadtest.study.server.LocalBroker;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * A topic of ActiveMQ Artemis, with one connection for each client.
 */
final class JmsTransport implements Transport {

	private final LocalBroker server = LocalBroker.start(LocalBroker.Kind.ARTEMIS);

	private final ConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + this.server.port());

	@Override
	public String name() {
		return "JMS";
	}

	@Override
	public List<Link> connect(Cell cell, String group, Tally tally) throws Exception {
		return Together.open(cell.clients(), (client) -> new JmsLink(this.factory, cell, group, client, tally));
	}

	@Override
	public void close() {
		this.server.close();
	}

}
