/** The audit log: what was done with accounts and rights. */
@NullMarked
package io.parley.store.audit;

import org.jspecify.annotations.NullMarked;
