/** Which users are connected to which node, and which rooms they follow. */
@NullMarked
package io.parley.store.presence;

import org.jspecify.annotations.NullMarked;
