/**
 * Access to the database that lets the server continue while the database is unavailable.
 */
@NullMarked
package io.parley.server.database;

import org.jspecify.annotations.NullMarked;
