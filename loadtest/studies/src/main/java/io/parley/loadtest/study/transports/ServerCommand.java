package io.parley.loadtest.study.transports;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.local.KitProcess;
import io.parley.loadtest.study.transports.TransportsCommand.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One of the servers that Parley is compared with. The study starts it.
 */
@Command(name = ServerCommand.NAME, hidden = true)
public final class ServerCommand implements CommandExtension {

	static final String NAME = "transport-server";

	@Option(names = "--kind", required = true)
	Kind kind = Kind.SOCKET;

	@Option(names = "--port", required = true)
	int port;

	/**
	 * Starts a server in a separate process.
	 */
	static KitProcess start(Kind kind, int port) {
		return KitProcess.start(kind.title + " server", NAME, "--kind", kind.name(), "--port", Integer.toString(port));
	}

	@Override
	public Integer call() throws Exception {
		try (AutoCloseable server = (this.kind == Kind.RMI) ? new RmiServer(this.port) : new SocketServer(this.port)) {
			KitProcess.serve();
		}
		return 0;
	}

}
