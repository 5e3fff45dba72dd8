/**
 * The same chat as a profile that has the database and the pushes on the path of a
 * message. It is the baseline for a log with workers behind it.
 */
@NullMarked
package io.parley.baseline.inline;

import org.jspecify.annotations.NullMarked;
