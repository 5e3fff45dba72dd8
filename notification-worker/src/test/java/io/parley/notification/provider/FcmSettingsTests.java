package io.parley.notification.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.google.auth.oauth2.GoogleCredentials;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.fakefcm.FakeFcm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FcmSettingsTests {

	private static final String EXTERNAL_ACCOUNT = """
			{"type":"external_account","audience":"//iam.googleapis.com/projects/1/x",
			"subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":"https://sts.googleapis.com/v1/token",
			"credential_source":{"file":"/nowhere"}}""";

	@TempDir
	private Path directory;

	@Test
	void usesTheProjectOfTheCredentialsByDefault() {
		try (FakeFcm fcm = FakeFcm.start()) {
			assertThat(FcmAccount.of(FcmSetup.properties(fcm, this.directory)).projectId()).isEqualTo("parley-test");
			assertThat(FcmAccount.of(FcmSetup.properties(fcm, this.directory, "project-id=other")).projectId())
				.isEqualTo("other");
		}
	}

	@Test
	void acceptsWorkloadIdentitiesWithoutAProject() throws IOException {
		Path file = Files.writeString(this.directory.resolve("identity.json"), EXTERNAL_ACCOUNT);
		FcmProperties properties = FcmSetup.bind("credentials=" + file);
		assertThatExceptionOfType(FcmSettingsException.class)
			.isThrownBy(() -> FcmAccount.of(properties, FcmSettingsTests::none, (name) -> null))
			.withMessageContaining("set chat.push.fcm.project-id");
		assertThat(FcmAccount.of(properties, FcmSettingsTests::none, Map.of("GOOGLE_CLOUD_PROJECT", "surrounding")::get)
			.projectId()).isEqualTo("surrounding");
	}

	@Test
	void explainsWhatToSetWithoutCredentials() {
		assertThatExceptionOfType(FcmSettingsException.class)
			.isThrownBy(() -> FcmAccount.of(FcmSetup.bind(), FcmSettingsTests::none, (name) -> null))
			.withMessageContaining("set chat.push.fcm.credentials");
	}

	@Test
	void explainsWhatToSetWhenTheFileIsMissingOrADirectory() {
		refused("credentials=" + this.directory.resolve("none.json"), "There is no file", "chat.push.fcm.credentials");
		refused("credentials=" + this.directory, this.directory.toString(), "credentials for FCM");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no json", "{}", "[]", "{\"type\":\"service_account\",\"private_key\":\"hidden\"}" })
	void explainsWhatToSetWhenTheFileIsInvalid(String content) throws IOException {
		Path file = Files.writeString(this.directory.resolve("credentials.json"), content);
		refused("credentials=" + file, "holds no credentials", "chat.push.fcm.credentials");
	}

	@Test
	void refusesAnInvalidEndpointAndAnUnknownBundle() {
		try (FakeFcm fcm = FakeFcm.start()) {
			String credentials = "credentials=" + fcm.serviceAccountFile(this.directory);
			refusedWith("chat.push.fcm.endpoint=http://localhost", credentials, "endpoint=http://localhost");
			refusedWith("spring.ssl.bundle.pem.nobody", credentials, "ssl-bundle=nobody");
		}
	}

	@Test
	void hasDefaultsAndRefusesInvalidValues() {
		ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Properties.class);
		runner.run((context) -> {
			FcmProperties properties = context.getBean(FcmProperties.class);
			assertThat(properties.endpoint()).hasToString("https://fcm.googleapis.com");
			assertThat(properties.readTimeout()).hasSeconds(15);
			assertThat(properties.concurrency()).isEqualTo(200);
			assertThat(properties.perSecond()).isEqualTo(8000);
			assertThat(properties.showContent()).isTrue();
			assertThat(properties.dryRun()).isFalse();
		});
		for (String nonsense : new String[] { "concurrency=0", "per-second=0", "read-timeout=0s", "link=http://x" }) {
			runner.withPropertyValues("chat.push.fcm." + nonsense)
				.run((context) -> assertThat(context).as(nonsense).hasFailed());
		}
	}

	@Test
	void showsAMessageInsteadOfAStackTrace() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, (type, name, failure) -> {
			})).filteredOn(FcmSettingsFailureAnalyzer.class::isInstance)
			.singleElement()
			.satisfies((analyzer) -> assertThat(
					analyzer.analyze(new IllegalStateException(new FcmSettingsException("Set this."))).getDescription())
				.isEqualTo("Set this."));
	}

	private static void refused(String setting, String... parts) {
		assertThatExceptionOfType(FcmSettingsException.class).isThrownBy(() -> FcmAccount.of(FcmSetup.bind(setting)))
			.satisfies((refusal) -> assertThat(refusal).hasMessageContainingAll(parts));
	}

	private static void refusedWith(String part, String... settings) {
		assertThatExceptionOfType(FcmSettingsException.class)
			.isThrownBy(() -> FcmPushProvider.create(FcmSetup.bind(settings), new DefaultSslBundleRegistry(),
					new SimpleMeterRegistry()))
			.withMessageContaining(part);
	}

	private static GoogleCredentials none() throws IOException {
		throw new IOException("Your default credentials were not found.");
	}

	@EnableConfigurationProperties(FcmProperties.class)
	static class Properties {

	}

}
