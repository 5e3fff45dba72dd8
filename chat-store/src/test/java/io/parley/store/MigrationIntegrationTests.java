package io.parley.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DockerCondition.class)
class MigrationIntegrationTests {

	private static final int APPLICATIONS = 4;

	@Test
	void runsOnceWhenSeveralApplicationsStartAtOnce() throws IOException {
		int files = new PathMatchingResourcePatternResolver()
			.getResources("classpath:db/migration/mysql/V*.sql").length;
		String[] database = MySqlServer.properties("migration");
		try (ExecutorService threads = Executors.newFixedThreadPool(APPLICATIONS)) {
			List<CompletableFuture<ConfigurableApplicationContext>> started = IntStream.range(0, APPLICATIONS)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> start(database), threads))
				.toList();
			started.forEach((context) -> assertThat(migrations(context.join())).isEqualTo(files));
			started.forEach((context) -> context.join().close());
		}
	}

	@Test
	void keepsDataStoredBeforePush() {
		PushMigrationTests.migrate(
				new DriverManagerDataSource(MySqlServer.url("before_push"), MySqlServer.USERNAME, MySqlServer.PASSWORD),
				"classpath:db/migration/mysql");
	}

	@Test
	void givesExistingRoomsAnOwner() {
		RoleMigrationTests.migrate(new DriverManagerDataSource(MySqlServer.url("before_roles"), MySqlServer.USERNAME,
				MySqlServer.PASSWORD), "classpath:db/migration/mysql");
	}

	@Test
	void keepsAccountsStoredBeforeStates() {
		AccountMigrationTests.migrate(new DriverManagerDataSource(MySqlServer.url("before_states"),
				MySqlServer.USERNAME, MySqlServer.PASSWORD), "classpath:db/migration/mysql");
	}

	private static ConfigurableApplicationContext start(String[] database) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(StoreApplication.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.properties(database);
		// Applications that start in parallel would configure the logging of this process
		// at the same time.
		List<ApplicationListener<?>> listeners = new ArrayList<>(builder.application().getListeners());
		listeners.removeIf(LoggingApplicationListener.class::isInstance);
		builder.application().setListeners(listeners);
		return builder.run();
	}

	private static int migrations(ConfigurableApplicationContext context) {
		return context.getBean(JdbcTemplate.class)
			.queryForObject("SELECT COUNT(*) FROM flyway_schema_history WHERE version IS NOT NULL AND success",
					Integer.class);
	}

}
