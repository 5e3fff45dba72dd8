package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.local.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Who wants to join what, and how often. */
final class ContentionOptions {

	@Option(names = "--only", split = ",", paramLabel = "WAY",
			description = "Some of kafka, mutex, semaphore, pessimistic, serializable, parley. Default: all")
	List<Way> only = List.of();

	@Option(names = "--users", description = "How many want to join. Default: 100")
	int users = 100;

	@Option(names = "--places", description = "How many can. Default: 50")
	int places = 50;

	@Option(names = "--within", converter = Millis.class, description = "All ask within this time. Default: 100ms")
	Duration within = Duration.ofMillis(100);

	@Option(names = "--runs", description = "Runs of each way, each with a new room. Default: 10")
	int runs = 10;

	@Option(names = "--dropped", description = "The first of them are checked, but not timed. Default: 4")
	int dropped = 4;

	@Option(names = "--datasource-url",
			description = "A database for all ways, as jdbc:mysql://localhost/parley."
					+ " Default: an H2 file for each")
	@Nullable String datasource;

	@Option(names = "--username", description = "Of the database. Default: sa")
	String username = "sa";

	@Option(names = "--password", description = "Of the database. Default: none")
	String password = "";

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	List<Way> ways() {
		List<Way> ways = new ArrayList<>(this.only.isEmpty() ? List.of(Way.values()) : this.only);
		ways.sort(null);
		return ways;
	}

	/** The database, by default with the settings of the chat-server in this folder. */
	String url(Path folder) {
		return (this.datasource != null) ? this.datasource
				: "jdbc:h2:file:" + folder + "/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
	}

	/** Settings of a chat-server that uses the same kind of database. */
	List<String> settings() {
		return (this.datasource != null) ? List.of("spring.datasource.url=" + this.datasource,
				"spring.datasource.username=" + this.username, "spring.datasource.password=" + this.password)
				: List.of();
	}

	/** Reads 100ms. */
	static final class Millis implements ITypeConverter<Duration> {

		@Override
		public Duration convert(String value) {
			return Duration
				.ofMillis(Long.parseLong(value.endsWith("ms") ? value.substring(0, value.length() - 2) : value));
		}

	}

}
