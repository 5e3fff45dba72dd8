package io.parley.server.backup;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where backups go.
 *
 * @param directory gets a folder for each backup; on the disk of the log a backup of the
 * log costs no copying
 */
@ConfigurationProperties("chat.backup")
record BackupProperties(@DefaultValue("./data/backups") Path directory) {
}
