package io.parley.loadtest.study.fill;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.study.fill.FillStore.Room;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest fill}: writes messages straight into the database of a stopped
 * server, so that a later run meets large tables.
 */
@Command(name = "fill",
		description = "Writes messages into the rooms that a database has, a few rooms with most of them, as if the"
				+ " members had sent and read them. The server must be stopped; at its next start it continues after"
				+ " them. Cannot be undone.",
		mixinStandardHelpOptions = true)
public final class FillCommand implements CommandExtension {

	private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

	@Option(names = "--messages", description = "How many, over all rooms. Default: ${DEFAULT-VALUE}")
	long messages = 1_000_000;

	@Option(names = "--datasource-url", paramLabel = "<datasource>",
			description = "The database, as jdbc:mysql://localhost/parley. Default: ${DEFAULT-VALUE}, that of ./chat"
					+ " run")
	String url = "jdbc:h2:file:./data/db/parley";

	@Option(names = "--username", description = "User of the database. Default: ${DEFAULT-VALUE}")
	String username = "sa";

	@Option(names = "--password", description = "Password of the database. Default: none")
	String password = "";

	@Option(names = "--seed", description = "Of how busy the rooms are. Default: ${DEFAULT-VALUE}")
	long seed = 1;

	private long written;

	private long printedAt;

	@Override
	public Integer call() {
		if (this.messages < 1) {
			throw new LoadTestException("--messages must be above 0.");
		}
		long start = System.nanoTime();
		this.printedAt = start;
		try (FillStore store = new FillStore(this.url, this.username, this.password)) {
			List<Room> rooms = store.rooms();
			if (rooms.isEmpty()) {
				throw new LoadTestException("The database has no rooms: start the server and create users and rooms"
						+ " first, as with \"./chat loadtest life --prepare --people people.json\".");
			}
			List<Long> shares = Shares.of(this.messages, rooms.stream().map((room) -> room.members().size()).toList(),
					this.seed);
			long epoch = store.beginEpoch();
			for (int n = 0; n < rooms.size(); n++) {
				new RoomFill(store, rooms.get(n), epoch, n).write(shares.get(n), this::progress);
			}
			double seconds = (System.nanoTime() - start) / 1e9;
			System.out.println(String.format(Locale.ROOT,
					"%,d messages in %,d rooms, %,.0f a second. Start the server now: it continues after them.",
					this.written, rooms.size(), this.written / seconds));
		}
		return 0;
	}

	private void progress(int rows) {
		this.written += rows;
		long now = System.nanoTime();
		if (now - this.printedAt > PROGRESS_NANOS) {
			this.printedAt = now;
			System.out.println(String.format(Locale.ROOT, "%,d of %,d messages", this.written, this.messages));
		}
	}

}
