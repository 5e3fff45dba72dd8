/** What clients rely on: the documents in docs/api. */
package io.parley.contracts;
