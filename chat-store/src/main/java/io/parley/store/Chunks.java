package io.parley.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * Splits long lists of arguments, so that each statement has a bounded length.
 *
 * <p>
 * MySQL may scan the whole table instead of looking up each element, if it believes that
 * the table is small. A statement that changes or locks rows would then wait for all
 * other locks on the table, so it names its index in a hint. H2 ignores the hint.
 */
public final class Chunks {

	private static final int SIZE = 200;

	private Chunks() {
	}

	/** Returns the elements in lists of at most 200. */
	public static <T> List<List<T>> of(Collection<T> elements) {
		List<T> all = new ArrayList<>(elements);
		List<List<T>> chunks = new ArrayList<>();
		for (int from = 0; from < all.size(); from += SIZE) {
			chunks.add(all.subList(from, Math.min(from + SIZE, all.size())));
		}
		return chunks;
	}

	/** Runs a query for each of these lists, and returns all results. */
	public static <T, R> List<R> query(Collection<T> elements, Function<List<T>, List<R>> query) {
		return of(elements).stream().flatMap((chunk) -> query.apply(chunk).stream()).toList();
	}

	/** Returns a parenthesized list with one placeholder for each element. */
	public static String placeholders(List<?> elements) {
		return "(" + String.join(", ", Collections.nCopies(elements.size(), "?")) + ")";
	}

	/** Returns a parenthesized list with one pair of placeholders for each element. */
	public static String pairs(List<?> elements) {
		return "(" + String.join(", ", Collections.nCopies(elements.size(), "(?, ?)")) + ")";
	}

	/** Returns a parenthesized list with three placeholders for each element. */
	public static String triples(List<?> elements) {
		return "(" + String.join(", ", Collections.nCopies(elements.size(), "(?, ?, ?)")) + ")";
	}

	/** Returns a parenthesized list with four placeholders for each element. */
	public static String fours(List<?> elements) {
		return "(" + String.join(", ", Collections.nCopies(elements.size(), "(?, ?, ?, ?)")) + ")";
	}

	/**
	 * Returns a {@code UNION ALL} that contains the query once for each element. The
	 * query reads one range of a key.
	 */
	public static String union(String query, int elements) {
		return String.join(" UNION ALL ", Collections.nCopies(elements, "(" + query + ")"));
	}

}
