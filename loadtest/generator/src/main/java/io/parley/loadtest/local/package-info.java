/**
 * Servers that a study starts and stops on this machine.
 */
@NullMarked
package io.parley.loadtest.local;

import org.jspecify.annotations.NullMarked;
