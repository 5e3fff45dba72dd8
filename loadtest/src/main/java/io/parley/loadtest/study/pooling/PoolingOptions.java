package io.parley.loadtest.study.pooling;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.local.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who reads what, and from which database. */
final class PoolingOptions {

	@Option(names = "--users", split = ",", description = "Users at once, each level in turn. Default: 10,20,50,100")
	List<Integer> users = List.of(10, 20, 50, 100);

	@Option(names = "--duration", converter = Span.class, description = "Of each level. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--warmup", converter = Span.class, description = "Before each level, not timed. Default: 10s")
	Duration warmup = Duration.ofSeconds(10);

	@Option(names = "--messages", description = "In the room that is read. Default: 200")
	int messages = 200;

	@Option(names = "--limit", description = "Messages in one answer. Default: 50")
	int limit = 50;

	@Option(names = "--datasource-url",
			description = "A database, as jdbc:mysql://localhost/parley. Default: an H2 file for each server")
	@Nullable String datasource;

	@Option(names = "--username", description = "Of the database. Default: sa")
	String username = "sa";

	@Option(names = "--password", description = "Of the database. Default: none")
	String password = "";

	@Option(names = "--only-without", description = "Leaves the server with the pool out.")
	boolean onlyWithout;

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	/**
	 * Settings of a chat-server.
	 * @param folder for its database, if that is a file
	 */
	List<String> settings(boolean pooled, Path folder) {
		List<String> settings = new ArrayList<>();
		// An H2 file would be closed and opened again with each connection that is alone.
		settings.add("spring.datasource.url=" + ((this.datasource != null) ? this.datasource
				: "jdbc:h2:file:" + folder + "/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=-1"));
		settings.add("spring.datasource.username=" + this.username);
		settings.add("spring.datasource.password=" + this.password);
		settings.add("chat.security.jwt.access-ttl=1d");
		if (!pooled) {
			settings.add("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource");
		}
		return settings;
	}

}
