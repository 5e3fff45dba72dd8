/** Of what users want to be told, and what became of it. */
@NullMarked
package io.parley.server.push;

import org.jspecify.annotations.NullMarked;
