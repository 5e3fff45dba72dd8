import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/*
 * Makes the secrets of an installation with Compose: "java scripts/MakeSecrets.java data/compose". What exists is kept.
 *
 *   jwt-private.pem                the key that signs tokens
 *   secrets/mysql-<program>        password of a MySQL user; mysql.env has that of root
 *   secrets/rabbitmq-<user>        password of a RabbitMQ user; rabbitmq-definitions.json has their hashes and rights
 *   tls/                           certificates of MySQL and RabbitMQ, and that of the authority that issued them. Its key
 *                                  is not kept, so nobody can issue more: remove the folder to replace all of them
 *
 * The directory is accessible to its owner only. The files are readable for all, because each container has another user.
 */

static final List<String> MYSQL_USERS = List.of("migration", "server", "persistence", "notification", "backup");

static final Path RABBITMQ_RIGHTS = Path.of("deploy/rabbitmq/rights.txt");

static final int PASSWORD_BYTES = 32;

static final String VALIDITY_DAYS = "3650";

static final SecureRandom RANDOM = new SecureRandom();

void main(String[] arguments) throws Exception {
	var directory = Files.createDirectories(Path.of(arguments[0]));
	restrict(directory);
	var secrets = Files.createDirectories(directory.resolve("secrets"));
	var tls = Files.createDirectories(directory.resolve("tls"));
	if (isMissing(directory.resolve("jwt-private.pem"))) {
		write(directory.resolve("jwt-private.pem"), signingKey());
	}
	if (isMissing(secrets.resolve("mysql.env"))) {
		write(secrets.resolve("mysql.env"), "MYSQL_ROOT_PASSWORD=" + password() + "\n");
	}
	for (var program : MYSQL_USERS) {
		passwordIn(secrets.resolve("mysql-" + program));
	}
	makeDefinitions(secrets);
	// Written last, so it exists if all others do.
	if (isMissing(tls.resolve("ca.pem"))) {
		makeCertificates(tls);
	}
}

static boolean isMissing(Path file) throws IOException {
	return !Files.isRegularFile(file) || Files.size(file) == 0;
}

static void restrict(Path directory) throws IOException {
	if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
	}
}

/** Writes a file that is complete from the moment it exists. */
static void write(Path file, String text) throws IOException {
	var unfinished = file.resolveSibling(file.getFileName() + ".new");
	Files.writeString(unfinished, text);
	if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
		Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-r--r--"));
	}
	Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
}

static String password() {
	var bytes = new byte[PASSWORD_BYTES];
	RANDOM.nextBytes(bytes);
	return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
}

static String passwordIn(Path file) throws IOException {
	if (isMissing(file)) {
		write(file, password() + "\n");
	}
	return Files.readString(file).strip();
}

static String signingKey() throws Exception {
	var generator = KeyPairGenerator.getInstance("RSA");
	generator.initialize(2048, RANDOM);
	return pem("PRIVATE KEY", generator.generateKeyPair().getPrivate().getEncoded());
}

static String pem(String kind, byte[] encoded) {
	return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(encoded) + "\n-----END "
			+ kind + "-----\n";
}

/** The users of RabbitMQ, their rights, and hashes of their passwords; the broker reads this file at each start. */
static void makeDefinitions(Path secrets) throws Exception {
	var file = secrets.resolve("rabbitmq-definitions.json");
	var users = new ArrayList<String>();
	var rights = new ArrayList<String>();
	var newest = Files.getLastModifiedTime(RABBITMQ_RIGHTS);
	for (var line : Files.readAllLines(RABBITMQ_RIGHTS)) {
		if (line.isBlank() || line.startsWith("#")) {
			continue;
		}
		var columns = line.strip().split("\\s+");
		if (columns.length != 5) {
			throw new IOException(RABBITMQ_RIGHTS + " has a line that is not \"user tag configure write read\": " + line);
		}
		var password = passwordIn(secrets.resolve("rabbitmq-" + columns[0]));
		var made = Files.getLastModifiedTime(secrets.resolve("rabbitmq-" + columns[0]));
		newest = (made.compareTo(newest) > 0) ? made : newest;
		users.add("""
				{"name":"parley-%s","password_hash":"%s","hashing_algorithm":"rabbit_password_hashing_sha256","tags":[%s]}"""
			.formatted(columns[0], hash(password), columns[1].equals("-") ? "" : '"' + columns[1] + '"'));
		rights.add("""
				{"user":"parley-%s","vhost":"/","configure":"%s","write":"%s","read":"%s"}""".formatted(columns[0],
				pattern(columns[2]), pattern(columns[3]), pattern(columns[4])));
	}
	if (isMissing(file) || Files.getLastModifiedTime(file).compareTo(newest) < 0) {
		write(file, """
				{"vhosts":[{"name":"/"}],
				"users":[%s],
				"permissions":[%s]}
				""".formatted(String.join(",\n", users), String.join(",\n", rights)));
	}
}

/** A pattern that matches no name is the empty one. */
static String pattern(String column) {
	return column.equals("-") ? "^$" : column.replace("\\", "\\\\");
}

/** Salted as RabbitMQ expects it: four bytes of salt, then the SHA-256 of salt and password. */
static String hash(String password) throws Exception {
	var salt = new byte[4];
	RANDOM.nextBytes(salt);
	var digest = MessageDigest.getInstance("SHA-256");
	digest.update(salt);
	var hash = digest.digest(password.getBytes(StandardCharsets.UTF_8));
	return Base64.getEncoder().encodeToString(ByteBuffer.allocate(salt.length + hash.length).put(salt).put(hash).array());
}

static void makeCertificates(Path tls) throws Exception {
	var keys = tls.resolve("keys.p12");
	var password = password();
	Files.deleteIfExists(keys);
	try {
		keytool(keys, password, "ca", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
		for (var server : List.of("mysql", "rabbitmq")) {
			keytool(keys, password, server, "-signer", "ca", "-ext", "san=dns:" + server + ",dns:localhost,ip:127.0.0.1", "-ext",
					"ku:c=digitalSignature,keyEncipherment", "-ext", "eku=serverAuth");
		}
		var store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(keys)) {
			store.load(in, password.toCharArray());
		}
		for (var server : List.of("mysql", "rabbitmq")) {
			write(tls.resolve(server + "-key.pem"),
					pem("PRIVATE KEY", store.getKey(server, password.toCharArray()).getEncoded()));
			write(tls.resolve(server + ".pem"), pem("CERTIFICATE", store.getCertificate(server).getEncoded()));
		}
		writeTrustStore(tls.resolve("ca.p12"), store);
		write(tls.resolve("ca.pem"), pem("CERTIFICATE", store.getCertificate("ca").getEncoded()));
	}
	finally {
		Files.deleteIfExists(keys);
	}
}

/** For MySQL's driver, which reads no PEM. It has no password, because it has no secret. */
static void writeTrustStore(Path file, KeyStore issued) throws Exception {
	System.setProperty("keystore.pkcs12.certProtectionAlgorithm", "NONE");
	System.setProperty("keystore.pkcs12.macAlgorithm", "NONE");
	var trusted = KeyStore.getInstance("PKCS12");
	trusted.load(null, null);
	trusted.setCertificateEntry("ca", issued.getCertificate("ca"));
	try (OutputStream out = Files.newOutputStream(file)) {
		trusted.store(out, new char[0]);
	}
	if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
		Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
	}
}

/** The password is in the environment, because other users can read the arguments of a process. */
static void keytool(Path keys, String password, String name, String... options) throws Exception {
	// The first compiler and the serial collector: half of the processor time.
	var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
			"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair",
			"-alias", name, "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=" + name + ", O=Parley", "-validity",
			VALIDITY_DAYS, "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass:env", "STORE_PASSWORD"));
	command.addAll(List.of(options));
	var builder = new ProcessBuilder(command).redirectErrorStream(true);
	builder.environment().put("STORE_PASSWORD", password);
	var keytool = builder.start();
	var said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	if (keytool.waitFor() != 0) {
		throw new IOException("keytool failed: " + said);
	}
}
