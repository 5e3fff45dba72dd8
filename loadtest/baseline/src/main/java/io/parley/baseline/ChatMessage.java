package io.parley.baseline;

/**
 * A message in a room.
 */
public record ChatMessage(String clientId, String text) {

}
