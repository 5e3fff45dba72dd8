package io.parley.loadtest.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.faults.Action.How;
import io.parley.loadtest.faults.Action.Kind;
import io.parley.loadtest.faults.Action.Whom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses one line of a script. Each failure names what is allowed at that place.
 */
final class ScriptLine {

	private static final Duration LONGEST = Duration.ofHours(24);

	private static final long MOST_FRAMES = 1_000_000_000;

	private static final long WRONG = -1;

	private static final Range NONE = new Range(0, 0);

	private static final long HALF_OPEN_MILLIS = 30_000;

	private static final String END = "the end of the line";

	private final String place;

	private final List<String> words;

	private int at;

	/** What was looked for at the current word. */
	private final List<String> allowed = new ArrayList<>();

	/**
	 * Creates a parser.
	 * @param place the name of the script and the number of the line
	 */
	ScriptLine(String place, List<String> words) {
		this.place = place;
		this.words = words;
	}

	/**
	 * Returns the rule.
	 * @throws LoadTestException when the line is wrong
	 */
	Rule parse() {
		boolean repeated = choose("after", "every").equals("every");
		Rule.When when = when();
		Kind kind = kind();
		Action action = action(kind, when instanceof Rule.Frames);
		if (this.at < this.words.size()) {
			this.allowed.add(END);
			throw wrong();
		}
		return new Rule(repeated, when, action);
	}

	private Rule.When when() {
		Range count = numbers();
		if (count == null) {
			return new Rule.Time(times());
		}
		choose("frames");
		choose("to");
		return new Rule.Frames(count, side());
	}

	private Kind kind() {
		String word = choose(Stream.of(Kind.values()).map(Kind::word).toArray(String[]::new));
		return Stream.of(Kind.values()).filter((one) -> one.word().equals(word)).findFirst().orElseThrow();
	}

	private Action action(Kind kind, boolean byFrames) {
		Whom whom = (kind == Kind.REFUSE || kind == Kind.ANSWER_503 || kind == Kind.RESTART) ? Whom.EVERYTHING
				: byFrames ? Whom.ITSELF : whom();
		How how = null;
		Side to = null;
		Range by = NONE;
		long length = 0;
		switch (kind) {
			case CUT -> how = take("by") ? How.valueOf(choose("reset", "end").toUpperCase(Locale.ROOT)) : null;
			case CUT_INSIDE -> to = take("to") ? side() : Side.CLIENT;
			case HALF_OPEN -> length = take("for") ? time() : HALF_OPEN_MILLIS;
			case DELAY -> {
				to = take("to") ? side() : null;
				choose("by");
				by = times();
				choose("for");
				length = time();
			}
			case TRICKLE -> {
				to = take("to") ? side() : null;
				choose("for");
				length = time();
			}
			case SWALLOW_RECEIPT, OMIT, REPEAT -> to = Side.CLIENT;
			case CLOSE -> {
				choose("with");
				to = Side.CLIENT;
				by = closeCode();
			}
			case STALE_AFTER -> to = Side.SERVER;
			case REFUSE, ANSWER_503 -> {
				choose("for");
				length = time();
			}
			case RESTART -> {
			}
		}
		return new Action(kind, whom, how, to, by, length);
	}

	private Whom whom() {
		return take("one") ? Whom.ONE : take("websockets") ? Whom.WEBSOCKETS : take("all") ? Whom.ALL : Whom.ONE;
	}

	private Side side() {
		return choose("client", "server").equals("client") ? Side.CLIENT : Side.SERVER;
	}

	private long time() {
		this.allowed.add("a time such as 300ms or 5s, up to 24h");
		long millis = (this.at < this.words.size()) ? millis(this.words.get(this.at)) : WRONG;
		if (millis == WRONG) {
			throw wrong();
		}
		advance();
		return millis;
	}

	private Range times() {
		this.allowed.add("a time such as 300ms, 5s or 300ms..2s, up to 24h");
		Range range = range(ScriptLine::millis);
		if (range == null) {
			throw wrong();
		}
		return range;
	}

	private Range closeCode() {
		this.allowed.add("a close code from 1000 to 4999");
		Range code = range((word) -> word.matches("[1-4]\\d{3}") ? Long.parseLong(word) : WRONG);
		if (code == null) {
			throw wrong();
		}
		return code;
	}

	private @Nullable Range numbers() {
		this.allowed.add("a number of frames such as 7 or 5..40");
		return range(ScriptLine::number);
	}

	private @Nullable Range range(ToLongFunction<String> converter) {
		if (this.at == this.words.size()) {
			return null;
		}
		long[] ends = Stream.of(this.words.get(this.at).split("\\.\\.", -1)).mapToLong(converter).toArray();
		if (ends.length > 2 || ends[0] == WRONG || ends[0] > ends[ends.length - 1]) {
			return null;
		}
		advance();
		return new Range(ends[0], ends[ends.length - 1]);
	}

	private static long number(String word) {
		boolean valid = word.matches("[1-9]\\d{0,9}") && Long.parseLong(word) <= MOST_FRAMES;
		return valid ? Long.parseLong(word) : WRONG;
	}

	private static long millis(String word) {
		try {
			Duration time = new DurationConverter().convert(word);
			boolean valid = time.toMillis() > 0 && time.compareTo(LONGEST) <= 0;
			return valid ? time.toMillis() : WRONG;
		}
		catch (TypeConversionException | ArithmeticException ex) {
			return WRONG;
		}
	}

	private boolean take(String word) {
		if (this.at < this.words.size() && this.words.get(this.at).equals(word)) {
			advance();
			return true;
		}
		this.allowed.add(word);
		return false;
	}

	private String choose(String... choices) {
		for (String choice : choices) {
			if (take(choice)) {
				return choice;
			}
		}
		throw wrong();
	}

	private void advance() {
		this.at++;
		this.allowed.clear();
	}

	private LoadTestException wrong() {
		String found = (this.at < this.words.size()) ? "\"" + this.words.get(this.at) + "\"" : END;
		String before = (this.at > 0) ? " after \"" + this.words.get(this.at - 1) + "\"" : "";
		String expected = this.allowed.stream().distinct().collect(Collectors.joining(", "));
		return new LoadTestException("%s: %s%s is wrong; allowed: %s. \"./chat loadtest faults --help\" shows all."
			.formatted(this.place, found, before, expected));
	}

}
