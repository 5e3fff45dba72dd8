/**
 * Common parts of the commands that measure a server.
 */
@NullMarked
package io.parley.loadtest.trial;

import org.jspecify.annotations.NullMarked;
