/**
 * Entities for tables that production code writes without JPA. In a package of their own,
 * so that no application finds them.
 */
@NullMarked
package io.parley.benchmark;

import org.jspecify.annotations.NullMarked;
