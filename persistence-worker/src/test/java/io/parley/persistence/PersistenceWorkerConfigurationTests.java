package io.parley.persistence;

import io.parley.events.EventRecord;
import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(classes = { WorkerApplication.class, WorkerApplication.Hosting.class },
		properties = "spring.datasource.url=jdbc:h2:mem:hosting")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class PersistenceWorkerConfigurationTests {

	private final RoomLog log;

	private final RoomEventRepository events;

	private final PersistenceWorker worker;

	PersistenceWorkerConfigurationTests(RoomLog log, RoomEventRepository events, PersistenceWorker worker) {
		this.log = log;
		this.events = events;
		this.worker = worker;
	}

	@Test
	void runsInTheApplicationThatImportsIt() {
		assertThat(this.worker.isRunning()).isTrue();
		EventRecord event = PersistenceFixture.message("hosted", "anna", "c1");
		PersistenceFixture.append(this.log, event);
		await().until(() -> this.events.byClientId("hosted", "anna", "c1").isPresent());
	}

}
