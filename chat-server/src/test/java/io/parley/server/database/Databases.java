package io.parley.server.database;

import java.time.Duration;

import javax.sql.DataSource;

/** Creates {@link Database}s for tests of other packages. */
public final class Databases {

	private Databases() {
	}

	public static Database of(DataSource connections) {
		return new Database(connections, new DatabaseProperties(Duration.ofSeconds(2)));
	}

}
