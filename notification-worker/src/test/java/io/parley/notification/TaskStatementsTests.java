package io.parley.notification;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.push.PushRecipients;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
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

	/** Long enough for the dispatcher of the application not to take the tasks. */
	private static final Duration LATER = Duration.ofDays(1);

	private static final Set<String> COUNTED = Set.of("execute", "executeQuery", "executeUpdate", "addBatch");

	private final PushFixture push;

	private final TaskPlanner planner;

	private final TaskDecider decider;

	TaskStatementsTests(PushFixture push, PushSettingRepository settings, PushRecipients recipients,
			MessageStateRepository states, RoomEventRepository events, PushProperties properties) {
		this.push = push;
		this.planner = new TaskPlanner(push.roomMembers(), push.members(), push.presence(), settings, push.devices(),
				push.threads(), properties, Clock.systemUTC());
		this.decider = new TaskDecider(push.rooms(), recipients, settings, push.devices(), push.threads(),
				new PushContents(states, events), properties);
	}

	@Test
	void doNotDependOnTheNumberOfRooms() {
		List<PositionedMessage> messages = new ArrayList<>();
		for (int i = 0; i < ROOMS; i++) {
			Chat chat = this.push.room("anna", "bert");
			MessagePosted message = new MessagePosted(chat.id(), "event" + i, chat.name("anna"), "client" + i,
					Instant.now(), "Hello", Map.of());
			messages.add(PositionedMessage.of(message, i + 1, message.sentAt()));
		}
		Counter.clear();
		List<PushTask> tasks = this.planner.plan(messages);
		assertThat(tasks).hasSize(ROOMS);
		assertThat(Counter.clear()).as("rooms, members, followers, devices").isEqualTo(Map.of("SELECT", 4));
		TaskDecisions decisions = this.decider.decide(tasks, Instant.now());
		assertThat(decisions.sends()).hasSize(ROOMS);
		assertThat(Counter.clear()).as("rooms, recipients, settings, devices, changes").isEqualTo(Map.of("SELECT", 5));
	}

	@Test
	void writeNewTasksOnceAndTakeAndCompleteThemTogether() {
		Instant now = Instant.now();
		List<PushTask> tasks = IntStream.range(0, ROOMS)
			.mapToObj((i) -> PushTask.of("anna", "new" + i, 1, false, "bert", "Hello", now, now.plus(LATER),
					now.plus(LATER).plus(LATER)))
			.toList();
		PushTaskRepository repository = this.push.tasks();
		Counter.clear();
		repository.merge(tasks);
		assertThat(Counter.clear()).isEqualTo(Map.of("SELECT", 1, "INSERT", ROOMS));
		List<PushTask> taken = repository.take(ROOMS, now.plus(LATER).plusSeconds(1), "claim", now.plus(LATER));
		assertThat(taken).hasSize(ROOMS);
		assertThat(Counter.clear()).isEqualTo(Map.of("SELECT", 1, "UPDATE", 1));
		repository.done(taken, "claim", now, Duration.ZERO);
		assertThat(Counter.clear()).isEqualTo(Map.of("SELECT", 1, "DELETE", 1));
	}

	/**
	 * Counts by their first word the statements that each thread executes. Each element
	 * of a batch counts.
	 */
	static final class Counter implements BeanPostProcessor {

		/** A union begins with a parenthesis. */
		private static final Pattern FIRST_WORD = Pattern.compile("\\w+");

		private static final ThreadLocal<Map<String, Integer>> EXECUTED = ThreadLocal.withInitial(HashMap::new);

		/** Returns what this thread has executed since the last call. */
		private static Map<String, Integer> clear() {
			Map<String, Integer> executed = EXECUTED.get();
			EXECUTED.remove();
			return executed;
		}

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
			return proxy(Connection.class, (proxy, method, arguments) -> {
				Object result = call(connection, method, arguments);
				return (result instanceof PreparedStatement statement) ? counting(statement, (String) arguments[0])
						: result;
			});
		}

		private static PreparedStatement counting(PreparedStatement statement, String sql) {
			return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
				if (COUNTED.contains(method.getName())) {
					EXECUTED.get()
						.merge(FIRST_WORD.matcher(sql)
							.results()
							.findFirst()
							.orElseThrow()
							.group()
							.toUpperCase(Locale.ROOT), 1, Integer::sum);
				}
				return call(statement, method, arguments);
			});
		}

		private static <T> T proxy(Class<T> type, InvocationHandler handler) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
		}

		private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		}

	}

}
