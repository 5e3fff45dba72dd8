/** Gives the application the room log that its configuration names. */
@NullMarked
package io.parley.log.config;

import org.jspecify.annotations.NullMarked;
