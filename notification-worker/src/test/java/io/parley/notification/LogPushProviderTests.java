package io.parley.notification;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LogPushProviderTests {

	@Test
	void saysWhoWhereAndHowTheMessageBegins(CapturedOutput output) {
		push("Hello\nforged line");
		assertThat(output.getOut()).contains("Push to bert: anna in The room: Hello forged line");
	}

	@Test
	void cutsALongTextBetweenCharacters(CapturedOutput output) {
		push("👋".repeat(100));
		assertThat(output.getOut()).contains("👋".repeat(80)).doesNotContain("👋".repeat(81));
	}

	private static void push(String text) {
		new LogPushProvider().push(new PushNotification("bert", "r1", "The room", 1, "anna", text));
	}

}
