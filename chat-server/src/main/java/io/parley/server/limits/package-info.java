/** What a client address may use, before anybody has signed in. */
@NullMarked
package io.parley.server.limits;

import org.jspecify.annotations.NullMarked;
