package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.local.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * The options of {@code contention}.
 */
final class ContentionOptions {

	@Option(names = "--only", split = ",", paramLabel = "WAY",
			description = "Some of kafka, mutex, semaphore, pessimistic, serializable, parley. Default: all")
	List<Way> only = List.of();

	@Option(names = "--users", description = "Users who try to join. Default: 100")
	int users = 100;

	@Option(names = "--places", description = "Free places in the room. Default: 50")
	int places = 50;

	@Option(names = "--within", converter = Millis.class,
			description = "All users send their requests within this time. Default: 100ms")
	Duration within = Duration.ofMillis(100);

	@Option(names = "--runs", description = "Runs for each way, each with a new room. Default: 10")
	int runs = 10;

	@Option(names = "--dropped", description = "Number of first runs that are checked, but not timed. Default: 4")
	int dropped = 4;

	@Option(names = "--datasource-url",
			description = "A database for all ways, as jdbc:mysql://localhost/parley."
					+ " Default: an H2 file for each")
	@Nullable String datasource;

	@Option(names = "--username", description = "User of the database. Default: sa")
	String username = "sa";

	@Option(names = "--password", description = "Password of the database. Default: none")
	String password = "";

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	List<Way> ways() {
		List<Way> ways = new ArrayList<>(this.only.isEmpty() ? List.of(Way.values()) : this.only);
		ways.sort(null);
		return ways;
	}

	/**
	 * Returns the JDBC URL; by default of an H2 file in this folder with the settings of
	 * the chat-server.
	 */
	String url(Path folder) {
		return (this.datasource != null) ? this.datasource
				: "jdbc:h2:file:" + folder + "/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
	}

	/**
	 * Returns the settings of a chat-server that uses the same kind of database.
	 */
	List<String> settings() {
		return (this.datasource != null) ? List.of("spring.datasource.url=" + this.datasource,
				"spring.datasource.username=" + this.username, "spring.datasource.password=" + this.password)
				: List.of();
	}

	/**
	 * Converts a time such as 100ms.
	 */
	static final class Millis implements ITypeConverter<Duration> {

		@Override
		public Duration convert(String value) {
			return Duration
				.ofMillis(Long.parseLong(value.endsWith("ms") ? value.substring(0, value.length() - 2) : value));
		}

	}

}
