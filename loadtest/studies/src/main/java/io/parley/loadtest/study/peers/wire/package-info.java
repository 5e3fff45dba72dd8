/**
 * The protocols of the compared servers, as far as the comparison needs them.
 */
@NullMarked
package io.parley.loadtest.study.peers.wire;

import org.jspecify.annotations.NullMarked;
