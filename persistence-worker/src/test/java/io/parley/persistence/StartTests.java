package io.parley.persistence;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Tests the error messages of the deployable when it cannot start. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class StartTests {

	@Test
	void listsTheBackendsWhenTheConfiguredOneIsUnknown(CapturedOutput output) {
		fail("--chat.log.backend=nowhere");
		assertThat(output).contains("chat.log.backend", "\"nowhere\"", "RABBITMQ").doesNotContain("\tat ");
	}

	@Test
	void namesAnInvalidAddress(CapturedOutput output) {
		fail("--chat.log.rabbitmq.addresses=rabbit-1");
		assertThat(output).contains("chat.log.rabbitmq.addresses[0]", "must be host:port, such as rabbit-1:5552")
			.doesNotContain("\tat ");
	}

	private static void fail(String option) {
		assertThatException().isThrownBy(
				() -> PersistenceWorkerApplication.main(new String[] { "--spring.datasource.url=jdbc:h2:mem:start",
						"--spring.datasource.username=sa", "--server.port=0", "--management.server.port=0", option }));
	}

}
