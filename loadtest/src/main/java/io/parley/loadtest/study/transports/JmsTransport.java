package io.parley.loadtest.study.transports;

import java.util.List;

import io.parley.loadtest.local.KitProcess;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A topic of a JMS broker, each client with a connection of its own. */
final class JmsTransport implements Transport {

	private final int port = KitProcess.freePort();

	private final KitProcess server = ServerCommand.start(ServerCommand.Kind.JMS, this.port);

	private final ConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + this.port);

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
