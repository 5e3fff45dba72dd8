package io.parley.store.room;

/**
 * The settings that the owner of a group or channel can change.
 *
 * @param topic "" for none
 * @param slowMode the seconds between two messages of a member; 0 for none
 * @param memberPins whether members may pin messages
 */
public record RoomSettings(String name, String topic, int slowMode, boolean memberPins) {
}
