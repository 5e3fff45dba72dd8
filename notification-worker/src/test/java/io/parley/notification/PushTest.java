package io.parley.notification;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

/** A test of a running worker with a provider that records its messages. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = RecordingApplication.class,
		properties = { "spring.datasource.url=jdbc:h2:mem:push", "chat.push.provider=fcm", "chat.push.grace=100ms",
				"chat.push.interval=0s", "chat.push.retry-delay=20ms", "chat.push.attempts=4",
				"chat.push.large-room=5000" })
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@interface PushTest {

}
