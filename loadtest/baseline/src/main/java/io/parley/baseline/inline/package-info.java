/**
 * The same chat with the database and the pushes on the path of a message, as a profile:
 * what a log with workers behind it is measured against.
 */
@NullMarked
package io.parley.baseline.inline;

import org.jspecify.annotations.NullMarked;
