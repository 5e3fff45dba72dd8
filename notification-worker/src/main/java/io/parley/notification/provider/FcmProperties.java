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
 * How Firebase Cloud Messaging is used.
 *
 * @param credentials a file with a service account or an external account (workload
 * identity); without it the application default credentials count
 * @param projectId of Firebase; without it that of the credentials or of
 * {@code GOOGLE_CLOUD_PROJECT}
 * @param endpoint takes the messages
 * @param sslBundle the name of the {@code spring.ssl.bundle} that trusts the endpoint;
 * without it the JVM's authorities are trusted
 * @param connectTimeout until a connection is there
 * @param readTimeout until a message is answered, from when it was given to a connection
 * @param writeTimeout until a message is written
 * @param concurrency how many messages are under way at once; there is a connection for
 * every 100 of them
 * @param perSecond how many messages are given over in a second; a project may send
 * 10,000
 * @param dryRun lets FCM check the messages but bring none
 * @param showContent whether notifications show names and text, which pass through Google
 * and Apple
 * @param link what a click in a browser opens, with {@code {room}} for the room
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
