package io.parley.store;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DataSourceDefaultsTests {

	@Test
	void setsTheDriverPropertiesThatTheStoreNeeds() {
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
	void setsNoDriverSettingsForOtherDatabases() {
		assertThat(dataSource("jdbc:h2:mem:other").getDataSourceProperties()).isEmpty();
	}

	@Test
	void limitsAnH2FileToOneConnection() {
		assertThat(dataSource("jdbc:h2:./db", 16).getMaximumPoolSize()).isOne();
		assertThat(dataSource("jdbc:h2:file:./db", 16).getMaximumPoolSize()).isOne();
	}

	@Test
	void keepsTheConfiguredPoolSizeOfOtherDatabases() {
		assertThat(dataSource("jdbc:h2:mem:other", 4).getMaximumPoolSize()).isEqualTo(4);
		assertThat(dataSource("jdbc:mysql://host/parley", 40).getMaximumPoolSize()).isEqualTo(40);
	}

	private static HikariDataSource dataSource(String url, int connections) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(url);
		dataSource.setMaximumPoolSize(connections);
		return defaults(dataSource);
	}

	private static HikariDataSource dataSource(String url) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(url);
		return defaults(dataSource);
	}

	private static HikariDataSource defaults(HikariDataSource dataSource) {
		return (HikariDataSource) new DataSourceDefaults().postProcessBeforeInitialization(dataSource, "dataSource");
	}

}
