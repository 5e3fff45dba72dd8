/** Records in the store which users are online on which server. */
@NullMarked
package io.parley.server.presence;

import org.jspecify.annotations.NullMarked;
