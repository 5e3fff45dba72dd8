package io.parley.baseline;

/** What is said in a room. */
public record ChatMessage(String clientId, String text) {

}
