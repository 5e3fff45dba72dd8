package io.parley.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

/** A test with the whole store on an in-memory database. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = StoreApplication.class,
		properties = "spring.datasource.url=jdbc:h2:mem:store;LOCK_TIMEOUT=30000")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
public @interface StoreTest {

}
