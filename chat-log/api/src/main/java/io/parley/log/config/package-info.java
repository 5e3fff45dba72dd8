/** Auto-configuration of the room log that the configuration selects. */
@NullMarked
package io.parley.log.config;

import org.jspecify.annotations.NullMarked;
