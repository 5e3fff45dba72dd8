/** Makes each cell of {@code docs/authorization.tsv} happen on running servers. */
@NullMarked
package io.parley.conformance.authorization;

import org.jspecify.annotations.NullMarked;
