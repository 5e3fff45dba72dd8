package io.parley.store.config;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataSourceDefaultsTests {

	@Test
	void setsTheDriverPropertiesThatTheStoreNeeds() {
		assertThat(dataSource("jdbc:mysql://host/parley").getDataSourceProperties())
			.containsEntry("rewriteBatchedStatements", "true")
			.containsEntry("readOnlyPropagatesToServer", "false")
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

	/** A server that is overloaded or still starting needs more than one attempt. */
	@Test
	void retriesTheFirstConnectionToMySql() throws Exception {
		try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				HikariDataSource dataSource = dataSource("jdbc:mysql://127.0.0.1:" + mute.getLocalPort() + "/parley")) {
			dataSource.setConnectionTimeout(500);
			Thread.ofVirtual().start(() -> assertThatThrownBy(dataSource::getConnection));
			mute.setSoTimeout(9_000);
			List<Socket> attempts = List.of(mute.accept(), mute.accept());
			for (Socket attempt : attempts) {
				attempt.close();
			}
		}
	}

	@Test
	void keepsAStartThatDoesNotNeedMySql() {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl("jdbc:mysql://host/parley");
		dataSource.setInitializationFailTimeout(-1);
		assertThat(defaults(dataSource).getInitializationFailTimeout()).isEqualTo(-1);
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
