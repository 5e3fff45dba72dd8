package io.parley.store.config;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;

/**
 * A program that creates and changes the tables and exits. It needs a user who may do
 * that, {@code spring.datasource.*}; the servers and workers can then run as users who
 * may not, with {@code spring.flyway.enabled=false}. May be repeated, and may run while
 * they run.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class })
@Import({ DataSourceDefaults.class, H2Migrations.class, MySqlPasswordCheck.class })
@PropertySource("classpath:chat-store.properties")
public class DatabaseMigration {

	public static void main(String[] args) {
		new SpringApplicationBuilder(DatabaseMigration.class).web(WebApplicationType.NONE).run(args).close();
	}

}
