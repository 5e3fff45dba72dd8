package io.parley.store.config;

import com.zaxxer.hikari.HikariDataSource;
import io.parley.log.config.KnownPasswordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MySqlPasswordCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://db-1/parley", "jdbc:mysql://localhost,db-1:3306/parley",
			"jdbc:mysql:replication://db-1,db-2/parley", "jdbc:mysql:loadbalance://127.0.0.1,db-2/parley?x=y",
			"jdbc:mysql://address=(host=db-1)(port=3306)/parley",
			"jdbc:mysql://(host = localhost),(host = db-1)/parley", "jdbc:mysql://localhost@db-1/parley",
			"jdbc:mysql://db-1?user=localhost", "jdbc:mysql://db-1/parley?user=root&password=root", "jdbc:mysql:db-1",
			"jdbc:mysql://(port=1)/parley" })
	void refusesAKnownPasswordOfAnotherMachine(String url) {
		assertThatThrownBy(() -> check(url, "root")).isInstanceOf(KnownPasswordException.class)
			.hasMessageContaining("spring.datasource.password");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://localhost/parley", "jdbc:mysql://127.0.0.1:3306/parley?a=b",
			"jdbc:mysql:///parley", "jdbc:mysql://:3306/parley", "jdbc:mysql://[::1]:3306/parley",
			"jdbc:mysql://localhost,127.0.0.2:3307/parley", "jdbc:mysql://address=(host=localhost)(port=1)/parley",
			"jdbc:h2:file:./data/db/parley", "jdbc:h2:tcp://db-1/parley" })
	void acceptsItOnThisMachineAndForH2(String url) {
		assertThatCode(() -> check(url, "root")).doesNotThrowAnyException();
	}

	@Test
	void readsThePasswordOfTheUrlIfThereIsNoOther() {
		assertThatThrownBy(() -> check("jdbc:mysql://db-1/parley?password=%70arley", ""))
			.isInstanceOf(KnownPasswordException.class);
		assertThatCode(() -> check("jdbc:mysql://db-1/parley?user=u&password=7f-of-this-test", ""))
			.doesNotThrowAnyException();
	}

	@Test
	void acceptsALoginByCertificate() {
		assertThatCode(() -> check("jdbc:mysql://db-1/parley?clientCertificateKeyStoreUrl=file:a.p12", ""))
			.doesNotThrowAnyException();
	}

	@Test
	void acceptsAnotherPassword() {
		assertThatCode(() -> check("jdbc:mysql://db-1/parley", "7f-of-this-test")).doesNotThrowAnyException();
	}

	private static void check(String url, String password) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername("root");
		pool.setPassword(password);
		new MySqlPasswordCheck().postProcessBeforeInitialization(pool, "dataSource");
	}

}
