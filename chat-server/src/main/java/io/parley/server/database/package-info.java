/** How the server goes on while the database is away. */
@NullMarked
package io.parley.server.database;

import org.jspecify.annotations.NullMarked;
