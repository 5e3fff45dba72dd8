package io.parley.store.event;

/**
 * Messages of others in a room, from one position to another.
 *
 * @param reader the user whose own messages are left out
 */
public record MessageRange(String room, long first, long last, String reader) {
}
