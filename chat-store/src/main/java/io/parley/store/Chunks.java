package io.parley.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Cuts long lists of arguments into statements of a bounded length. */
public final class Chunks {

	private static final int SIZE = 200;

	private Chunks() {
	}

	/** The elements in lists of 200 at the most. */
	public static <T> List<List<T>> of(Collection<T> elements) {
		List<T> all = new ArrayList<>(elements);
		List<List<T>> chunks = new ArrayList<>();
		for (int from = 0; from < all.size(); from += SIZE) {
			chunks.add(all.subList(from, Math.min(from + SIZE, all.size())));
		}
		return chunks;
	}

	/** A parenthesized list of one placeholder for each element. */
	public static String places(List<?> elements) {
		return "(" + String.join(", ", Collections.nCopies(elements.size(), "?")) + ")";
	}

	/** The rows of the same query, which reads one range of a key, for each element. */
	public static String union(String query, int elements) {
		return String.join(" UNION ALL ", Collections.nCopies(elements, "(" + query + ")"));
	}

}
