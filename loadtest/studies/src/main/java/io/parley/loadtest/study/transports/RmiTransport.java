package io.parley.loadtest.study.transports;

import java.net.InetAddress;
import java.rmi.registry.LocateRegistry;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.local.KitProcess;

/** Remote method invocation of the JDK. */
final class RmiTransport implements Transport {

	private final KitProcess server;

	private final RmiHub hub;

	RmiTransport() {
		// Must be set before the first callback is exported: the server calls it at this
		// address.
		System.setProperty("java.rmi.server.hostname", "127.0.0.1");
		int port = KitProcess.freePort();
		this.server = ServerCommand.start(ServerCommand.Kind.RMI, port);
		try {
			String host = InetAddress.getLoopbackAddress().getHostAddress();
			this.hub = (RmiHub) LocateRegistry.getRegistry(host, port).lookup(RmiHub.NAME);
		}
		catch (Exception ex) {
			this.server.close();
			throw new RefusedException("The RMI server does not answer: " + ex);
		}
	}

	@Override
	public String name() {
		return "RMI";
	}

	@Override
	public List<Link> connect(Cell cell, String group, Tally tally) throws Exception {
		return Together.open(cell.clients(), (client) -> new RmiLink(this.hub, cell, group, client, tally));
	}

	@Override
	public void close() {
		this.server.close();
	}

}
