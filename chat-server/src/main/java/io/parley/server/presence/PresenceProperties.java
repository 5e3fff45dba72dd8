package io.parley.server.presence;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of what users see of each other.
 *
 * @param lastSeen whether it is stored and shown when users were last online; each user
 * can hide it
 */
@ConfigurationProperties("chat.presence")
record PresenceProperties(@DefaultValue("false") boolean lastSeen) {
}
