/** The store: what the deployables keep in the database, and how they reach it. */
@NullMarked
package io.parley.store;

import org.jspecify.annotations.NullMarked;
