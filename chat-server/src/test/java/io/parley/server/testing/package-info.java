/**
 * The server under test as its clients see it, and the brokers behind it, for tests of
 * this and other modules.
 */
@NullMarked
package io.parley.server.testing;

import org.jspecify.annotations.NullMarked;
