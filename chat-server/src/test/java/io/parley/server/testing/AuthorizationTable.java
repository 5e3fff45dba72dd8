package io.parley.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code docs/authorization.tsv}: who may call what. The file explains its columns.
 */
public final class AuthorizationTable {

	/** Tests run in the folder of their module. */
	public static final Path FILE = Path.of("").toAbsolutePath().getParent().resolve("docs/authorization.tsv");

	private static final String SECTION = "## ";

	private static final int CALLERS_FROM = 3;

	private AuthorizationTable() {
	}

	/** The callers: the columns, in their order. */
	public enum Caller {

		NO_TOKEN, EXPIRED, ENDED, DISABLED, SUSPENDED, STRANGER, BANNED, INVITED, READER, MUTED, MEMBER, MODERATOR,
		OWNER, OPERATOR, BLOCKED;

		/** Returns the heading of the column. */
		public String heading() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		/** Returns whether no request of this caller is authenticated. */
		public boolean isNobody() {
			return compareTo(DISABLED) <= 0;
		}

		/** Returns whether the caller is not a member of the room. */
		public boolean isOutside() {
			return this == STRANGER || this == BANNED || this == INVITED || this == OPERATOR;
		}

	}

	/**
	 * A call.
	 *
	 * @param section the heading above it
	 * @param with what is special about it, or {@code -}
	 * @param outcomes the cells
	 */
	public record Row(String section, String method, String endpoint, String with, Map<Caller, String> outcomes) {

		private static final Pattern ITEM = Pattern.compile("(?:^| )(\\w+)=(\\S+)");

		/** Returns whether the call is a frame of STOMP. */
		public boolean isFrame() {
			return Set.of("CONNECT", "SEND", "SUBSCRIBE").contains(this.method);
		}

		/** Returns the value of an item of {@code with}, or an empty string. */
		public String item(String name) {
			Matcher items = ITEM.matcher(beforeBody());
			while (items.find()) {
				if (items.group(1).equals(name)) {
					return items.group(2);
				}
			}
			return "";
		}

		/** Returns the query with its question mark, or an empty string. */
		public String query() {
			return this.with.startsWith("?") ? this.with : "";
		}

		/** Returns the body, or an empty string. */
		public String body() {
			return this.with.substring(beforeBody().length());
		}

		private String beforeBody() {
			return this.with.contains("{") ? this.with.substring(0, this.with.indexOf('{')) : this.with;
		}

		/** Returns whether the call has this variable or a variable of the endpoint. */
		public boolean uses(String variable) {
			return this.endpoint.contains("{" + variable + "}")
					|| Pattern.compile("\\$" + variable + "\\b").matcher(this.with).find();
		}

		public String outcome(Caller caller) {
			return this.outcomes.getOrDefault(caller, "");
		}

		/** Returns whether the caller is refused. */
		public boolean refuses(Caller caller) {
			return isRefusal(outcome(caller));
		}

		@Override
		public String toString() {
			return this.method + " " + this.endpoint + (this.with.equals("-") ? "" : " " + this.with);
		}

	}

	/** Returns whether an outcome is neither a status of success nor {@code ok}. */
	public static boolean isRefusal(String outcome) {
		return !outcome.equals("ok") && !outcome.matches("2\\d\\d");
	}

	/** Reads the file. */
	public static List<Row> read() {
		List<Row> rows = new ArrayList<>();
		String section = "";
		List<String> headings = List.of();
		for (String line : lines()) {
			if (line.startsWith(SECTION)) {
				section = line.substring(SECTION.length());
			}
			else if (headings.isEmpty() && !line.startsWith("#")) {
				headings = List.of(line.split("\t"));
				requireHeadings(headings);
			}
			else if (!line.startsWith("#")) {
				rows.add(row(section, line.split("\t")));
			}
		}
		return rows;
	}

	private static List<String> lines() {
		try {
			return Files.readAllLines(FILE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void requireHeadings(List<String> headings) {
		List<String> wanted = Arrays.stream(Caller.values()).map(Caller::heading).toList();
		if (headings.size() < CALLERS_FROM || !headings.subList(CALLERS_FROM, headings.size()).equals(wanted)) {
			throw new IllegalStateException(FILE + ": the columns must be method, endpoint, with, " + wanted);
		}
	}

	private static Row row(String section, String[] cells) {
		Caller[] callers = Caller.values();
		if (cells.length != CALLERS_FROM + callers.length) {
			throw new IllegalStateException(FILE + ": this row needs " + (CALLERS_FROM + callers.length)
					+ " cells, separated by tabs: " + String.join(" ", cells));
		}
		Map<Caller, String> outcomes = new EnumMap<>(Caller.class);
		for (Caller caller : callers) {
			outcomes.put(caller, cells[CALLERS_FROM + caller.ordinal()]);
		}
		return new Row(section, cells[0], cells[1], cells[2], outcomes);
	}

}
