package io.parley.server.timeline;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How much history is at hand.
 *
 * @param tail memory for the newest events of all rooms
 * @param replay how many missed events a SUBSCRIBE with {@code after} replays; a client
 * further behind is told {@code recovered: false} and pages history
 * @param page how many events a page of history holds at the most
 */
@Validated
@ConfigurationProperties("chat.history")
public record HistoryProperties(@DefaultValue("32MB") DataSize tail, @Positive @DefaultValue("1000") int replay,
		@Positive @Max(1000) @DefaultValue("200") int page) {
}
