/** The contracts with clients: the documents in docs/api. */
package io.parley.contracts;
