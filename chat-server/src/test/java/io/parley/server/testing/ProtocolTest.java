package io.parley.server.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.parley.server.ChatServerApplication;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

/**
 * A test that talks to the whole server as clients do, over REST and STOMP. Classes with
 * the same properties share one server. {@link Backends} selects what it runs on.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BackendCondition.class)
@SpringBootTest(classes = ChatServerApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = TemporaryData.class)
@Import({ ChatServer.class, QuickPasswords.class })
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
public @interface ProtocolTest {

	/** The properties of the server, in addition to those of {@link TemporaryData}. */
	@AliasFor(annotation = SpringBootTest.class, attribute = "properties")
	String[] properties() default {};

}
