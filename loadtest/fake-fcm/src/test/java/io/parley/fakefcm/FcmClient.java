package io.parley.fakefcm;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client of a fake FCM over HTTP/2.
 */
final class FcmClient implements AutoCloseable {

	private final HttpClient http;

	private final FakeFcm fcm;

	FcmClient(FakeFcm fcm) throws Exception {
		this.fcm = fcm;
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("fcm", fcm.trustCertificate());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext tls = SSLContext.getInstance("TLS");
		tls.init(null, trust.getTrustManagers(), null);
		this.http = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_2).build();
	}

	HttpResponse<String> send(String token) throws Exception {
		return this.http.send(message(token, 1), BodyHandlers.ofString());
	}

	HttpResponse<String> send(String token, long position) throws Exception {
		return this.http.send(message(token, position), BodyHandlers.ofString());
	}

	CompletableFuture<HttpResponse<String>> sendLater(String token) {
		return this.http.sendAsync(message(token, 1), BodyHandlers.ofString());
	}

	HttpResponse<String> post(String body, String authorization) throws Exception {
		return this.http.send(request(body).header("authorization", authorization).build(), BodyHandlers.ofString());
	}

	HttpResponse<String> control(String method, String path, String body) throws Exception {
		return this.http.send(HttpRequest.newBuilder(URI.create(this.fcm.control() + path))
			.method(method, BodyPublishers.ofString(body))
			.build(), BodyHandlers.ofString());
	}

	private HttpRequest message(String token, long position) {
		String body = """
				{"message":{"token":"%s","data":{"room":"r1","position":"%d"}}}""".formatted(token, position);
		return request(body).header("authorization", "Bearer fake-access-1").build();
	}

	private HttpRequest.Builder request(String body) {
		return HttpRequest.newBuilder(URI.create(this.fcm.endpoint() + "/v1/projects/parley-test/messages:send"))
			.POST(BodyPublishers.ofString(body));
	}

	@Override
	public void close() {
		this.http.shutdownNow();
	}

}
