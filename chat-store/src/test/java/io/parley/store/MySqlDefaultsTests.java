package io.parley.store;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MySqlDefaultsTests {

	@Test
	void setsWhatTheStoreNeedsFromTheDriver() {
		assertThat(dataSource("jdbc:mysql://host/parley").getDataSourceProperties())
			.containsEntry("rewriteBatchedStatements", "true")
			.containsEntry("connectionTimeZone", "UTC");
	}

	@Test
	void letsTheUrlWin() {
		assertThat(dataSource("jdbc:mysql://host/parley?socketTimeout=1").getDataSourceProperties())
			.doesNotContainKey("socketTimeout")
			.containsKey("connectTimeout");
	}

	@Test
	void leavesOtherDatabasesAlone() {
		assertThat(dataSource("jdbc:h2:mem:other").getDataSourceProperties()).isEmpty();
	}

	private static HikariDataSource dataSource(String url) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(url);
		return (HikariDataSource) new MySqlDefaults().postProcessBeforeInitialization(dataSource, "dataSource");
	}

}
