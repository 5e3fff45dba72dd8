/**
 * The server as its clients see it, and the brokers behind it, for tests here and in
 * other modules.
 */
@NullMarked
package io.parley.server.testing;

import org.jspecify.annotations.NullMarked;
