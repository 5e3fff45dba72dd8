/**
 * Many clients in one process: they speak the public protocol only, and check every event
 * that they get.
 */
@NullMarked
package io.parley.loadtest;

import org.jspecify.annotations.NullMarked;
