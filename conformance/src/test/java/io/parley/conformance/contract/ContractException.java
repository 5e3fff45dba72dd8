package io.parley.conformance.contract;

/** Something differs from the documents in docs/api. */
final class ContractException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ContractException(String message) {
		super(message);
	}

}
