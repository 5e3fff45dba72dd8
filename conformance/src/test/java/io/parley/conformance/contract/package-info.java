/** Compares what servers and clients send with the documents in docs/api. */
@NullMarked
package io.parley.conformance.contract;

import org.jspecify.annotations.NullMarked;
