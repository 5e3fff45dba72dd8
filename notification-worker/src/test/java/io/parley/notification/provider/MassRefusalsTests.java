package io.parley.notification.provider;

import java.nio.file.Path;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A single wrong service account must not delete all devices. */
@ExtendWith(OutputCaptureExtension.class)
class MassRefusalsTests {

	private final FakeFcm fcm = FakeFcm.start();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private FcmPushProvider provider;

	@BeforeEach
	void start(@TempDir Path directory) {
		this.provider = FcmSetup.provider(this.fcm, directory, this.meters, "connect-timeout=60s", "read-timeout=60s",
				"write-timeout=60s");
	}

	@AfterEach
	void close() {
		this.provider.close();
		this.fcm.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SENDER_ID_MISMATCH", "INVALID_TOKEN" })
	void keepsDevicesWhenAllAreRefused(Behaviour.Kind kind, CapturedOutput output) {
		this.fcm.behave(kind);
		assertThat(push(0, 50)).hasSize(50).allMatch((answer) -> answer.kind() == PushAnswer.Kind.RETRY);
		assertThat(push(0, 1)).allMatch((answer) -> answer.kind() == PushAnswer.Kind.RETRY);
		assertThat(this.meters.counter("chat.push.devices.doubted").count()).isEqualTo(51);
		assertThat(output.getOut().split("FCM refuses 50 of the 50 devices", -1)).hasSize(2);
		assertThat(output).contains("chat.push.fcm.project-id").doesNotContain("token-");
	}

	@Test
	void reportsOneInvalidDeviceWhileOthersAreReached() {
		this.fcm.behave("token-2", Behaviour.Kind.SENDER_ID_MISMATCH);
		assertThat(push(0, 4)).extracting(PushAnswer::kind)
			.containsExactly(PushAnswer.Kind.SENT, PushAnswer.Kind.SENT, PushAnswer.Kind.GONE, PushAnswer.Kind.SENT);
		assertThat(this.meters.counter("chat.push.devices.doubted").count()).isZero();
	}

	@Test
	void keepsDevicesWhenALargeShareIsRefused() {
		push(0, 100);
		this.fcm.behave(Behaviour.Kind.SENDER_ID_MISMATCH);
		assertThat(push(100, 140)).allMatch((answer) -> answer.kind() == PushAnswer.Kind.RETRY);
		this.fcm.behave(Behaviour.Kind.OK);
		assertThat(push(100, 140)).allMatch((answer) -> answer.kind() == PushAnswer.Kind.SENT);
		this.fcm.behave("token-7", Behaviour.Kind.SENDER_ID_MISMATCH);
		assertThat(push(7, 8)).extracting(PushAnswer::kind).containsExactly(PushAnswer.Kind.GONE);
	}

	@Test
	void reportsUninstalledApps() {
		this.fcm.behave(Behaviour.Kind.UNREGISTERED);
		assertThat(push(0, 50)).allMatch((answer) -> answer.kind() == PushAnswer.Kind.GONE);
	}

	private List<PushAnswer> push(int from, int to) {
		return this.provider.push(FcmSetup.messages(to).subList(from, to));
	}

}
