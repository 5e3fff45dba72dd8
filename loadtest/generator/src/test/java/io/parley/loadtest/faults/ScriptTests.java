package io.parley.loadtest.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.faults.Action.How;
import io.parley.loadtest.faults.Action.Kind;
import io.parley.loadtest.faults.Action.Whom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ScriptTests {

	private static final Range NONE = new Range(0, 0);

	@Test
	void readsEachKindOfLine() {
		List<Rule> rules = parse("# all", "", "after 2s cut all by reset", "every 300ms..1s cut   # one",
				"every 5..40 frames to client cut-inside to server", "after 7 frames to server half-open for 1m",
				"every 1s delay websockets to client by 20ms..500ms for 10s", "after 1h omit one",
				"after 1s repeat all", "after 1s refuse for 5s", "every 3 frames to client restart",
				"after 1s swallow-receipt", "after 9 frames to client close with 4401",
				"every 1s close all with 1001..1013", "after 1s trickle to server for 3s",
				"after 1s stale-after websockets", "after 1s answer-503 for 2s");
		assertThat(rules).containsExactly(
				new Rule(false, time(2000, 2000), new Action(Kind.CUT, Whom.ALL, How.RESET, null, NONE, 0)),
				new Rule(true, time(300, 1000), new Action(Kind.CUT, Whom.ONE, null, null, NONE, 0)),
				new Rule(true, frames(5, 40, Side.CLIENT),
						new Action(Kind.CUT_INSIDE, Whom.ITSELF, null, Side.SERVER, NONE, 0)),
				new Rule(false, frames(7, 7, Side.SERVER),
						new Action(Kind.HALF_OPEN, Whom.ITSELF, null, null, NONE, 60_000)),
				new Rule(true, time(1000, 1000),
						new Action(Kind.DELAY, Whom.WEBSOCKETS, null, Side.CLIENT, new Range(20, 500), 10_000)),
				new Rule(false, time(3_600_000, 3_600_000),
						new Action(Kind.OMIT, Whom.ONE, null, Side.CLIENT, NONE, 0)),
				new Rule(false, time(1000, 1000), new Action(Kind.REPEAT, Whom.ALL, null, Side.CLIENT, NONE, 0)),
				new Rule(false, time(1000, 1000), new Action(Kind.REFUSE, Whom.EVERYTHING, null, null, NONE, 5000)),
				new Rule(true, frames(3, 3, Side.CLIENT),
						new Action(Kind.RESTART, Whom.EVERYTHING, null, null, NONE, 0)),
				new Rule(false, time(1000, 1000),
						new Action(Kind.SWALLOW_RECEIPT, Whom.ONE, null, Side.CLIENT, NONE, 0)),
				new Rule(false, frames(9, 9, Side.CLIENT),
						new Action(Kind.CLOSE, Whom.ITSELF, null, Side.CLIENT, new Range(4401, 4401), 0)),
				new Rule(true, time(1000, 1000),
						new Action(Kind.CLOSE, Whom.ALL, null, Side.CLIENT, new Range(1001, 1013), 0)),
				new Rule(false, time(1000, 1000), new Action(Kind.TRICKLE, Whom.ONE, null, Side.SERVER, NONE, 3000)),
				new Rule(false, time(1000, 1000),
						new Action(Kind.STALE_AFTER, Whom.WEBSOCKETS, null, Side.SERVER, NONE, 0)),
				new Rule(false, time(1000, 1000),
						new Action(Kind.ANSWER_503, Whom.EVERYTHING, null, null, NONE, 2000)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					at 2s cut             | "at" is wrong; allowed: after, every.
					after                 | the end of the line after "after" is wrong; allowed: a number of frames such as 7 or 5..40, a time
					after soon cut        | "soon" after "after" is wrong; allowed: a number of frames
					after 0ms cut         | "0ms" after
					after -2s cut         | "-2s" after
					after 25h cut         | "25h" after
					every 2s..1s cut      | "2s..1s" after
					every 1s..2s..3s cut  | "1s..2s..3s" after
					every 99999999999999999999s cut | "99999999999999999999s" after
					after 0 frames to client cut | "0" after
					after 5 cut           | "cut" after "5" is wrong; allowed: frames.
					after 5 frames to x cut | "x" after "to" is wrong; allowed: client, server.
					after 2s explode      | "explode" after "2s" is wrong; allowed: cut, cut-inside, swallow-receipt, close, half-open, delay, trickle, omit, repeat, stale-after, refuse, answer-503, restart.
					after 2s CUT          | "CUT" after
					after 2s cut two      | "two" after "cut" is wrong; allowed: one, websockets, all, by, the end of the line.
					after 2s cut one by force | "force" after "by" is wrong; allowed: reset, end.
					after 2s cut one one  | "one" after "one" is wrong; allowed: by, the end of the line.
					after 5 frames to client cut one | "one" after "cut" is wrong; allowed: by, the end of the line.
					after 2s delay one for 2s | "for" after "one" is wrong; allowed: to, by.
					after 2s delay by 2s  | the end of the line after "2s" is wrong; allowed: for.
					after 2s refuse       | the end of the line after "refuse" is wrong; allowed: for.
					after 2s half-open for 1s..2s | "1s..2s" after "for" is wrong; allowed: a time such as 300ms or 5s
					after 2s close one    | the end of the line after "one" is wrong; allowed: with.
					after 2s close with 999 | "999" after "with" is wrong; allowed: a close code from 1000 to 4999.
					after 2s close with 5000 | "5000" after
					after 2s trickle one  | the end of the line after "one" is wrong; allowed: to, for.
					after 2s answer-503   | the end of the line after "answer-503" is wrong; allowed: for.
					after 2s restart now  | "now" after "restart" is wrong; allowed: the end of the line.
					""")
	void namesTheLineAndWhatIsAllowed(String line, String message) {
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> parse("after 1s cut", line))
			.withMessageContaining("chaos.txt:2: " + message)
			.withMessageEndingWith("\"./chat loadtest faults --help\" shows all.");
	}

	@Test
	void refusesAScriptWithoutActionsAndOneThatIsTooLong() {
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> parse("", "# nothing"))
			.withMessageContaining("chaos.txt has no action");
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> Script.parse("chaos.txt", Collections.nCopies(1001, "after 1s cut")))
			.withMessageContaining("more than 1,000 lines");
	}

	@Test
	void refusesAFileThatIsNoScript(@TempDir Path folder) throws Exception {
		Path file = folder.resolve("script");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Script.read(file))
			.withMessageContaining("does not exist");
		Files.write(file, new byte[] { (byte) 0xff, (byte) 0xfe });
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Script.read(file))
			.withMessageContaining("is not text in UTF-8");
		Files.write(file, new byte[100_001]);
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Script.read(file))
			.withMessageContaining("more than 100,000 bytes");
	}

	@ParameterizedTest
	@EnumSource
	void aPlanIsAScript(Plan plan) {
		assertThat(parse(plan.lines(Duration.ofSeconds(2), true).toArray(String[]::new))).last()
			.extracting((rule) -> rule.action().kind())
			.isEqualTo(Kind.RESTART);
		assertThat(parse(plan.lines(Duration.ofMillis(1), false).toArray(String[]::new))).isNotEmpty();
	}

	@Test
	void picksTheSameValuesWithTheSameSeed() {
		assertThat(values(7)).isEqualTo(values(7)).isNotEqualTo(values(8)).contains(5L, 6L, 7L).hasSize(100);
	}

	private static List<Long> values(long seed) {
		Random random = new Random(seed);
		return LongStream.generate(() -> new Range(5, 7).pick(random)).limit(100).boxed().toList();
	}

	private static Rule.Time time(long least, long most) {
		return new Rule.Time(new Range(least, most));
	}

	private static Rule.Frames frames(long least, long most, Side to) {
		return new Rule.Frames(new Range(least, most), to);
	}

	private static List<Rule> parse(String... lines) {
		return Script.parse("chaos.txt", List.of(lines)).rules();
	}

}
