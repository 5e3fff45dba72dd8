package io.parley.log.embedded;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * The configuration of RocksDB: small (about 40 MiB of native memory for two write
 * buffers and the block cache), and strict about the state after a crash.
 */
final class StoreOptions implements AutoCloseable {

	private static final long MIB = 1024 * 1024;

	private final LRUCache blockCache = new LRUCache(8 * MIB);

	private final Options options = new Options();

	private final WriteOptions synced = new WriteOptions().setSync(true);

	StoreOptions() {
		this.options.setCreateIfMissing(true)
			.setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(this.blockCache)
				.setBlockSize(16 * 1024)
				.setCacheIndexAndFilterBlocks(true))
			.setCompressionType(CompressionType.LZ4_COMPRESSION)
			.setWriteBufferSize(16 * MIB)
			.setMaxWriteBufferNumber(2)
			// Small files, because trimming deletes whole files at once.
			.setTargetFileSizeBase(8 * MIB)
			.setMaxOpenFiles(256)
			.setMaxBackgroundJobs(2)
			.setMaxManifestFileSize(4 * MIB)
			.setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
			.setMaxLogFileSize(MIB)
			.setKeepLogFileNum(2)
			.setStatsDumpPeriodSec(0);
		recovery();
	}

	/**
	 * Configures the recovery after a crash. Each write is synced before the next begins,
	 * so a crash can only tear the last write, which was never confirmed; that tail is
	 * dropped. Damage anywhere else affects confirmed records: point-in-time recovery
	 * would silently drop everything after it, whereas this mode refuses to open.
	 */
	private void recovery() {
		this.options.setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
			.setRecycleLogFileNum(0)
			.setParanoidChecks(true);
	}

	Options options() {
		return this.options;
	}

	WriteOptions synced() {
		return this.synced;
	}

	@Override
	public void close() {
		this.synced.close();
		this.options.close();
		this.blockCache.close();
	}

}
