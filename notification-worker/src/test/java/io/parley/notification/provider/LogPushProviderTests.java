package io.parley.notification.provider;

import java.time.Duration;
import java.util.List;

import io.parley.store.push.Device;
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

	@Test
	void saysHowManyMessagesThereAre(CapturedOutput output) {
		new LogPushProvider().push(List.of(message("Hello", 3)));
		assertThat(output.getOut()).contains("Push to bert: anna in The room: Hello (3 messages)");
	}

	private static void push(String text) {
		assertThat(new LogPushProvider().push(List.of(message(text, 1)))).extracting(PushAnswer::kind)
			.containsExactly(PushAnswer.Kind.SENT);
	}

	private static PushMessage message(String text, int messages) {
		PushTarget target = new PushTarget(Device.Kind.TOKEN, "secret", Device.Platform.WEB);
		return new PushMessage(target, "bert", "r1", "The room", "anna", text, 1, messages, false, 0,
				Duration.ofHours(1));
	}

}
