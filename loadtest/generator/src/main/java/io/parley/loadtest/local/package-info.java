/**
 * Servers and containers that a run starts and stops on this machine.
 */
@NullMarked
package io.parley.loadtest.local;

import org.jspecify.annotations.NullMarked;
