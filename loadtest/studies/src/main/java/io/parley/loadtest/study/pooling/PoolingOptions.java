package io.parley.loadtest.study.pooling;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.local.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code pooling}.
 */
final class PoolingOptions {

	@Option(names = "--users", split = ",", description = "Users at once, each level in turn. Default: 10,20,50,100")
	List<Integer> users = List.of(10, 20, 50, 100);

	@Option(names = "--duration", converter = Span.class, description = "How long to measure each level. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--warmup", converter = Span.class,
			description = "Warm-up before each level, not timed. Default: 10s")
	Duration warmup = Duration.ofSeconds(10);

	@Option(names = "--messages", description = "Messages in the room that is read. Default: 200")
	int messages = 200;

	@Option(names = "--limit", description = "Messages in one answer. Default: 50")
	int limit = 50;

	@Option(names = "--datasource-url",
			description = "A database, as jdbc:mysql://localhost/parley. Default: an H2 file for each server")
	@Nullable String datasource;

	@Option(names = "--username", description = "User of the database. Default: sa")
	String username = "sa";

	@Option(names = "--password", description = "Password of the database. Default: none")
	String password = "";

	@Option(names = "--only-without", description = "Omit the server with the pool.")
	boolean onlyWithout;

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	/**
	 * Returns the settings of a chat-server.
	 * @param pooled whether it uses a connection pool
	 * @param folder for its database, if that is a file
	 */
	List<String> settings(boolean pooled, Path folder) {
		List<String> settings = new ArrayList<>();
		// DB_CLOSE_DELAY: without a pool, the last connection would otherwise close the
		// H2 file, and the next one would open it again.
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
