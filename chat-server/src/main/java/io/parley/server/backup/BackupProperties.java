package io.parley.server.backup;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of backups.
 *
 * @param directory receives a directory per backup. On the same disk as the log, backing
 * up the log copies almost no data
 */
@ConfigurationProperties("chat.backup")
record BackupProperties(@DefaultValue("./data/backups") Path directory) {
}
