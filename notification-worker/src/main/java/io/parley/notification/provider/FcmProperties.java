package io.parley.notification.provider;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of Firebase Cloud Messaging.
 *
 * @param credentials the file of a service account or an external account (workload
 * identity); without it the application default credentials are used
 * @param projectId the Firebase project; without it the project of the credentials or of
 * {@code GOOGLE_CLOUD_PROJECT}
 * @param endpoint the address that messages are sent to
 * @param sslBundle the name of the {@code spring.ssl.bundle} that trusts the endpoint;
 * without it the JVM's certificate authorities are trusted
 * @param connectTimeout the maximum time to open a connection
 * @param readTimeout the maximum time until a message is answered, from when it was
 * passed to a connection
 * @param writeTimeout the maximum time to write a message
 * @param concurrency the maximum number of messages in flight; there is one connection
 * for every 100 of them
 * @param perSecond the maximum number of messages that are started in a second; a project
 * may send 10,000
 * @param dryRun whether FCM only checks the messages and delivers none
 * @param showContent whether notifications show names and text, which pass through Google
 * and Apple
 * @param link the address that a click in a browser opens, with {@code {room}} for the
 * room
 */
@Validated
@ConfigurationProperties("chat.push.fcm")
public record FcmProperties(@Nullable Path credentials, @Nullable String projectId,
		@DefaultValue("https://fcm.googleapis.com") URI endpoint, @Nullable String sslBundle,
		@DefaultValue("5s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration connectTimeout,
		@DefaultValue("15s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration readTimeout,
		@DefaultValue("10s") @DurationMin(millis = 1) @DurationMax(minutes = 10) Duration writeTimeout,
		@DefaultValue("200") @Min(1) @Max(10_000) int concurrency,
		@DefaultValue("8000") @Min(1) @Max(1_000_000) int perSecond, @DefaultValue("false") boolean dryRun,
		@DefaultValue("true") boolean showContent,
		@Nullable @Size(max = 1000) @Pattern(regexp = "https://.+", message = "must begin with https://") String link) {
}
