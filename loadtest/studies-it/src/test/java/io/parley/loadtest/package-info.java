/**
 * Integration tests of the studies with real servers.
 */
@NullMarked
package io.parley.loadtest;

import org.jspecify.annotations.NullMarked;
