/**
 * Common parts of all commands for the console.
 */
@NullMarked
package io.parley.loadtest.cli;

import org.jspecify.annotations.NullMarked;
