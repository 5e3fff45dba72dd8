package io.parley.store.room;

import java.util.List;

/**
 * The readers of a message.
 *
 * @param names the first of them, by name
 * @param count the number of all of them
 */
public record Readers(List<String> names, long count) {
}
