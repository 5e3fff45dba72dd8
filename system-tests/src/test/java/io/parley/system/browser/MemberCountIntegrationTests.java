package io.parley.system.browser;

import java.util.List;

import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The page counts the members of a room, also if it knows only the first 200 of them. */
@Tag("exhaustive")
class MemberCountIntegrationTests {

	/** Returns the counts after each step. */
	private static final String COUNTS = """
			async () => {
				const { Room } = await import("/room.js");
				const room = new Room("room", "user0");
				const detail = (memberCount) => room.detail({ kind: "channel", memberCount,
					members: Array.from({ length: Math.min(200, memberCount) }, (_, i) => ({ username: `user${i}` })) });
				let position = 0;
				const event = (type, member) => ({ type, member, position: ++position });
				const counts = [];
				for (const step of [%s]) {
					step();
					counts.push(room.memberCount ?? -1);
				}
				return counts;
			}""";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private static List<?> counts(String... steps) {
		try (ChatPage page = new ChatPage(chromium.browser(), 800, 600)) {
			page.visit(server.url());
			return (List<?>) page.evaluate(COUNTS.formatted("() => " + String.join(", () => ", steps)));
		}
	}

	private static String joins(String user) {
		return "room.append(event('member.joined', '" + user + "'))";
	}

	private static String leaves(String user) {
		return "room.append(event('member.left', '" + user + "'))";
	}

	private static String signals(int members) {
		return "room.signal({ type: 'member-count', memberCount: " + members + " })";
	}

	@Test
	void ofALongList() {
		List<?> counts = counts("detail(999)", joins("zoe"), signals(1_700), leaves("yan"), signals(1_699),
				leaves("user1"), signals(1_698));
		assertThat(counts).isEqualTo(List.of(999, 1_000, 1_700, 1_699, 1_699, 1_698, 1_698));
	}

	@Test
	void ofAShortList() {
		List<?> counts = counts("detail(3)", joins("user1"), joins("zoe"), leaves("zoe"), leaves("zoe"),
				leaves("user1"));
		assertThat(counts).isEqualTo(List.of(3, 3, 4, 3, 3, 2));
	}

	@Test
	void ignoresTheHistory() {
		List<?> counts = counts("detail(300)", "room.merge([event('member.joined', 'zoe')])", "room.merge([])");
		assertThat(counts).isEqualTo(List.of(300, 300, 300));
	}

	@Test
	void isUnknownUntilTheServerHasToldIt() {
		assertThat(counts(joins("zoe"), leaves("zoe"), "detail(3)")).isEqualTo(List.of(-1, -1, 3));
	}

}
