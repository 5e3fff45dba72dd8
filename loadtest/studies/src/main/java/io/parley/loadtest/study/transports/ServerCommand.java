package io.parley.loadtest.study.transports;

import java.util.Locale;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.local.KitProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One of the servers that Parley is compared with. The study starts it.
 */
@Command(name = "transport-server", hidden = true)
public final class ServerCommand implements CommandExtension {

	static final String NAME = "transport-server";

	@Option(names = "--kind", required = true)
	Kind kind = Kind.SOCKET;

	@Option(names = "--port", required = true)
	int port;

	/**
	 * The kinds of servers.
	 */
	enum Kind {

		SOCKET("socket server"), RMI("RMI server");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

	}

	/**
	 * Starts a server in a separate process.
	 */
	static KitProcess start(Kind kind, int port) {
		return KitProcess.start(kind.title, NAME, "--kind", kind.name(), "--port",
				String.format(Locale.ROOT, "%d", port));
	}

	@Override
	public Integer call() throws Exception {
		try (AutoCloseable server = open()) {
			KitProcess.serve();
		}
		return 0;
	}

	private AutoCloseable open() throws Exception {
		return switch (this.kind) {
			case SOCKET -> new SocketServer(this.port);
			case RMI -> new RmiServer(this.port);
		};
	}

}
