package io.parley.notification;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.push.PushRecipients;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts the statements for messages in many rooms. */
@PushTest
@TestPropertySource(properties = "spring.datasource.url=jdbc:h2:mem:statements")
@Import(TaskStatementsTests.Counter.class)
class TaskStatementsTests {

	private static final int ROOMS = 200;

	private final PushFixture push;

	private final TaskPlanner planner;

	private final TaskDecider decider;

	TaskStatementsTests(PushFixture push, PushSettingRepository settings, PushRecipients recipients,
			MessageStateRepository states, RoomEventRepository events, PushProperties properties) {
		this.push = push;
		this.planner = new TaskPlanner(push.rooms(), push.members(), push.presence(), settings, push.devices(),
				properties, Clock.systemUTC());
		this.decider = new TaskDecider(push.rooms(), recipients, settings, push.devices(),
				new PushContents(states, events), properties);
	}

	@Test
	void doNotDependOnTheNumberOfRooms() {
		List<PositionedMessage> messages = new ArrayList<>();
		for (int i = 0; i < ROOMS; i++) {
			Chat chat = this.push.room("anna", "bert");
			MessagePosted message = new MessagePosted(chat.id(), "event" + i, chat.name("anna"), "client" + i,
					Instant.now(), "Hello", Map.of());
			messages.add(new PositionedMessage(message, i + 1, message.sentAt()));
		}
		Counter.STATEMENTS.get().set(0);
		List<PushTask> tasks = this.planner.plan(messages);
		assertThat(tasks).hasSize(ROOMS);
		assertThat(Counter.STATEMENTS.get().getAndSet(0)).as("rooms, members, followers, devices").isEqualTo(4);
		TaskDecisions decisions = this.decider.decide(tasks, Instant.now());
		assertThat(decisions.sends()).hasSize(ROOMS);
		assertThat(Counter.STATEMENTS.get().get()).as("rooms, recipients, settings, devices, changes").isEqualTo(5);
	}

	/** Counts the statements of each thread. */
	static final class Counter implements BeanPostProcessor {

		private static final ThreadLocal<AtomicInteger> STATEMENTS = ThreadLocal.withInitial(AtomicInteger::new);

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof DataSource connections) ? new DelegatingDataSource(connections) {

				@Override
				public Connection getConnection() throws SQLException {
					return counting(super.getConnection());
				}

			} : bean;
		}

		private static Connection counting(Connection connection) {
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("prepareStatement")) {
							STATEMENTS.get().incrementAndGet();
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
