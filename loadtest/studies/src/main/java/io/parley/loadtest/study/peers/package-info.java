/**
 * Comparison of Parley with other servers.
 */
@NullMarked
package io.parley.loadtest.study.peers;

import org.jspecify.annotations.NullMarked;
