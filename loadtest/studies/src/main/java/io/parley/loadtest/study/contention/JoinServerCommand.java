package io.parley.loadtest.study.contention;

import java.nio.file.Path;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.local.KitProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server with one of its five strategies. The study starts it.
 */
@Command(name = JoinServerCommand.NAME, hidden = true)
public final class JoinServerCommand implements CommandExtension {

	static final String NAME = "contention-server";

	@Option(names = "--strategy", required = true)
	JoinStrategy strategy = JoinStrategy.MUTEX;

	@Option(names = "--port", required = true)
	int port;

	@Option(names = "--folder", required = true)
	Path folder = Path.of("");

	@Option(names = "--url", required = true)
	String url = "";

	@Option(names = "--username", required = true)
	String username = "";

	@Option(names = "--password", defaultValue = "")
	String password = "";

	@Override
	public Integer call() throws Exception {
		// Otherwise each answer waits for the acknowledgement of its first packet.
		System.setProperty("sun.net.httpserver.nodelay", "true");
		try (RoomTable rooms = new RoomTable(this.url, this.username, this.password);
				Joiner joiner = Joiner.of(this.strategy, rooms, this.folder);
				JoinServer server = new JoinServer(this.port, rooms, joiner)) {
			KitProcess.serve();
		}
		return 0;
	}

}
