package io.parley.server.timeline;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the history.
 *
 * @param tail memory for the newest events of all rooms
 * @param replay maximum number of missed events that a SUBSCRIBE with {@code after}
 * replays; a client further behind receives {@code recovered: false} and pages through
 * the history
 * @param page maximum number of events in a page of history
 */
@Validated
@ConfigurationProperties("chat.history")
public record HistoryProperties(@DefaultValue("32MB") DataSize tail, @Positive @DefaultValue("1000") int replay,
		@Positive @Max(1000) @DefaultValue("200") int page) {
}
