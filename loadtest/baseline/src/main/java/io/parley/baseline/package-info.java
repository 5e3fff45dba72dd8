/**
 * The chat of Spring's tutorials, with default settings: what Parley is measured against.
 */
@NullMarked
package io.parley.baseline;

import org.jspecify.annotations.NullMarked;
