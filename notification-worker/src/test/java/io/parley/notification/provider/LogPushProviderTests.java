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
	void logsUserRoomAndPositionButNoText(CapturedOutput output) {
		PushTarget target = new PushTarget(Device.Kind.TOKEN, "secret", Device.Platform.WEB);
		PushMessage message = new PushMessage(target, "bert", "r1", "The room", "anna", "Hello", 7, 3, false, 0,
				Duration.ofHours(1), 0);
		assertThat(new LogPushProvider().push(List.of(message))).extracting(PushAnswer::kind)
			.containsExactly(PushAnswer.Kind.SENT);
		assertThat(output.getOut()).contains("Push to bert: room r1, position 7, messages: 3")
			.doesNotContain("Hello", "The room", "anna", "secret");
	}

}
