package io.parley.notification.provider;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.fakefcm.FakeFcm;
import io.parley.store.push.Device.Kind;
import io.parley.store.push.Device.Platform;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Creates providers that send to a fake FCM, and messages for them. */
final class FcmSetup {

	private FcmSetup() {
	}

	/**
	 * Binds the properties like the application, with the credentials and certificates of
	 * the fake.
	 */
	static FcmProperties properties(FakeFcm fcm, Path directory, String... settings) {
		List<String> all = new ArrayList<>(List.of("endpoint=" + fcm.endpoint(), "ssl-bundle=fcm",
				"credentials=" + fcm.serviceAccountFile(directory)));
		all.addAll(List.of(settings));
		return bind(all.toArray(String[]::new));
	}

	static FcmProperties bind(String... settings) {
		Map<String, Object> values = new HashMap<>();
		for (String setting : settings) {
			values.put("chat.push.fcm." + setting.split("=", 2)[0], setting.split("=", 2)[1]);
		}
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", values));
		return Binder.get(environment).bindOrCreate("chat.push.fcm", FcmProperties.class);
	}

	static SslBundles bundles(FakeFcm fcm, Path directory) {
		String certificate = fcm.trustCertificateFile(directory).toUri().toString();
		return new DefaultSslBundleRegistry("fcm",
				SslBundle.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(certificate))));
	}

	static FcmPushProvider provider(FakeFcm fcm, Path directory, String... settings) {
		return provider(fcm, directory, new SimpleMeterRegistry(), settings);
	}

	static FcmPushProvider provider(FakeFcm fcm, Path directory, MeterRegistry meters, String... settings) {
		return FcmPushProvider.create(properties(fcm, directory, settings), bundles(fcm, directory), meters);
	}

	static PushMessage message(String token) {
		return message(token, 1);
	}

	static PushMessage message(String token, long position) {
		return new PushMessage(new PushTarget(Kind.TOKEN, token, Platform.ANDROID), "bert", "r1", "The room", "anna",
				"Hello", position, 1, false, 3, Duration.ofHours(4), 0);
	}

	static List<PushMessage> messages(int count) {
		return IntStream.range(0, count).mapToObj((index) -> message("token-" + index, index)).toList();
	}

}
