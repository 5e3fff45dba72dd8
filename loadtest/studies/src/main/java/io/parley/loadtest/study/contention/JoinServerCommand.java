package io.parley.loadtest.study.contention;

import java.nio.file.Path;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.local.KitProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server with one of the five ways of joining. The study starts it.
 */
@Command(name = JoinServerCommand.NAME, hidden = true)
public final class JoinServerCommand implements CommandExtension {

	static final String NAME = "contention-server";

	@Option(names = "--way", required = true)
	Way way = Way.MUTEX;

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
		try (RoomTable rooms = new RoomTable(this.url, this.username, this.password)) {
			if (this.way == Way.KAFKA) {
				try (KafkaBroker broker = new KafkaBroker(this.folder)) {
					serve(rooms, new KafkaJoining(rooms, broker.address()));
				}
			}
			else {
				serve(rooms, joining(this.way, rooms));
			}
		}
		return 0;
	}

	private void serve(RoomTable rooms, Joining joining) throws Exception {
		try (joining; JoinServer server = new JoinServer(this.port, rooms, joining)) {
			KitProcess.serve();
		}
	}

	static Joining joining(Way way, RoomTable rooms) {
		return switch (way) {
			case MUTEX -> Joining.mutex(rooms);
			case SEMAPHORE -> Joining.semaphore(rooms);
			case PESSIMISTIC -> Joining.pessimistic(rooms);
			case SERIALIZABLE -> Joining.serializable(rooms);
			case KAFKA, PARLEY -> throw new IllegalStateException(way + " is not a way of this server");
		};
	}

}
