package io.parley.store;

import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Transient;

import org.springframework.data.domain.Persistable;

/**
 * Base class of entities whose key is assigned by the caller. Saving an instance that was
 * not loaded is an insert: a key that is taken is an error and never an overwrite.
 *
 * @param <K> the type of the key
 */
@MappedSuperclass
public abstract class AssignedKey<K> implements Persistable<K> {

	@Transient
	private boolean stored;

	@Override
	public boolean isNew() {
		return !this.stored;
	}

	@PostLoad
	@PostPersist
	void markStored() {
		this.stored = true;
	}

}
