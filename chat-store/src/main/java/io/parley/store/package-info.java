/**
 * The store: the data that the deployables keep in the database, and the access to it.
 */
@NullMarked
package io.parley.store;

import org.jspecify.annotations.NullMarked;
