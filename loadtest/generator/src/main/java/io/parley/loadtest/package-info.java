/**
 * Load generator with many clients in one process. The clients use only the public
 * protocol and check every event they receive.
 */
@NullMarked
package io.parley.loadtest;

import org.jspecify.annotations.NullMarked;
