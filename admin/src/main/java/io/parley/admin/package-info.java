/** Commands for operators of a running server, by its public REST interface. */
@NullMarked
package io.parley.admin;

import org.jspecify.annotations.NullMarked;
