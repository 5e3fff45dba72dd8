package io.parley.loadtest.study;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The database of the servers that a study starts.
 */
public final class DatabaseOptions {

	@Option(names = "--datasource-url", paramLabel = "<datasource>",
			description = "A database for all servers, as jdbc:mysql://localhost/parley. Default: an H2 file for each")
	@Nullable String url;

	@Option(names = "--username", description = "User of the database. Default: sa")
	public String username = "sa";

	@Option(names = "--password", description = "Password of the database. Default: none")
	public String password = "";

	/**
	 * Returns the JDBC URL; by default of an H2 file in this folder with the settings of
	 * the chat-server.
	 */
	public String url(Path folder) {
		return (this.url != null) ? this.url : "jdbc:h2:file:" + folder + "/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
	}

	/**
	 * Returns whether all servers use one given database.
	 */
	public boolean isGiven() {
		return this.url != null;
	}

	/**
	 * Returns the settings of a chat-server that uses the database at this URL.
	 */
	public List<String> settings(String url) {
		return List.of("spring.datasource.url=" + url, "spring.datasource.username=" + this.username,
				"spring.datasource.password=" + this.password);
	}

}
