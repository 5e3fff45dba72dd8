/** The audit log: who did what with accounts and rights, from where and when. */
@NullMarked
package io.parley.server.audit;

import org.jspecify.annotations.NullMarked;
