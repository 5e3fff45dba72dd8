package io.parley.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.test.context.ContextConfiguration;

/**
 * A test whose application uses a database in {@link MySqlServer} instead of the
 * configured in-memory database. Skipped when no Docker engine is available.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DockerCondition.class)
@ContextConfiguration(initializers = MySqlServer.InsteadOfH2.class)
public @interface OnMySql {

}
