/** Backups of the embedded log and database while the server runs. */
@NullMarked
package io.parley.server.backup;

import org.jspecify.annotations.NullMarked;
