package io.parley.loadtest.study.transports;

import java.util.List;

import io.parley.loadtest.local.KitProcess;

/** Plain TCP. */
final class SocketTransport implements Transport {

	private final int port = KitProcess.freePort();

	private final KitProcess server = ServerCommand.start(ServerCommand.Kind.SOCKET, this.port);

	@Override
	public String name() {
		return "socket";
	}

	@Override
	public List<Link> connect(Cell cell, String group, Tally tally) throws Exception {
		return Together.open(cell.clients(), (client) -> new SocketLink(this.port, cell, group, client, tally));
	}

	@Override
	public void close() {
		this.server.close();
	}

}
