package io.parley.system.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Invalid tokens, each with a description of its defect. */
final class ForgedTokens {

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private static final String RS256 = "{\"alg\":\"RS256\"}";

	private final PrivateKey key;

	private final PublicKey publicKey;

	/**
	 * Reads the key of a server.
	 * @param directory the directory of the server; its key signs tokens that are invalid
	 * for another reason
	 */
	ForgedTokens(Path directory) throws IOException, GeneralSecurityException {
		String pem = Files.readString(directory.resolve("data/keys/jwt-private.pem"));
		byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
		KeyFactory factory = KeyFactory.getInstance("RSA");
		RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
		this.key = rsa;
		this.publicKey = factory.generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
	}

	/**
	 * Returns all forged tokens.
	 * @param user the user that the tokens pretend to belong to
	 * @param use {@code access} or {@code refresh}
	 */
	Map<String, String> of(String user, String use) throws GeneralSecurityException {
		Map<String, String> tokens = new LinkedHashMap<>();
		String right = claims(user, use, "parley", Duration.ofMinutes(5));
		String real = sign(RS256, right, this.key);
		for (String none : new String[] { "none", "None", "NONE", "" }) {
			tokens.put("alg '" + none + "'", unsigned("{\"alg\":\"" + none + "\"}", right) + ".");
		}
		tokens.put("no signature", real.substring(0, real.lastIndexOf('.') + 1));
		tokens.put("a signature of other claims", unsigned(RS256, claims("alice", use, "parley", Duration.ofMinutes(6)))
				+ real.substring(real.lastIndexOf('.')));
		KeyPair other = other();
		tokens.put("another key", sign(RS256, right, other.getPrivate()));
		tokens.put("another key, which comes along",
				sign("{\"alg\":\"RS256\",\"jwk\":" + jwk((RSAPublicKey) other.getPublic()) + "}", right,
						other.getPrivate()));
		tokens.put("another key by its address",
				sign("{\"alg\":\"RS256\",\"kid\":\"../../x\",\"jku\":\"http://127.0.0.1:1/jwks\"}", right,
						other.getPrivate()));
		String pem = "-----BEGIN PUBLIC KEY-----\n"
				+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(this.publicKey.getEncoded())
				+ "\n-----END PUBLIC KEY-----\n";
		tokens.put("HS256 with the public key", hmac(right, this.publicKey.getEncoded()));
		tokens.put("HS256 with the public key as PEM", hmac(right, pem.getBytes(StandardCharsets.US_ASCII)));
		tokens.put("expired", sign(RS256, claims(user, use, "parley", Duration.ofSeconds(-1)), this.key));
		tokens.put("another issuer", sign(RS256, claims(user, use, "evil", Duration.ofMinutes(5)), this.key));
		tokens.put("another use", sign(RS256, claims(user, "admin", "parley", Duration.ofMinutes(5)), this.key));
		tokens.put("no end",
				sign(RS256, "{\"iss\":\"parley\",\"sub\":\"" + user + "\",\"use\":\"" + use + "\"}", this.key));
		tokens.put("no user", sign(RS256, right.replace("\"sub\":\"" + user + "\",", ""), this.key));
		tokens.put("a user as an array",
				sign(RS256, right.replace("\"sub\":\"" + user + "\"", "\"sub\":[\"" + user + "\"]"), this.key));
		tokens.put("a user without an account",
				sign(RS256, claims("ghost-of-nobody", use, "parley", Duration.ofMinutes(5)), this.key));
		tokens.put("no token at all", "nobody");
		tokens.put("dots", "..");
		return tokens;
	}

	/**
	 * Returns a valid token. It proves that the others fail only because of their
	 * defects.
	 */
	String right(String user, String use) throws GeneralSecurityException {
		return sign(RS256, claims(user, use, "parley", Duration.ofMinutes(5)), this.key);
	}

	private static String claims(String user, String use, String issuer, Duration ttl) {
		long now = Instant.now().getEpochSecond();
		return "{\"jti\":\"1\",\"iss\":\"%s\",\"sub\":\"%s\",\"iat\":%d,\"exp\":%d,\"use\":\"%s\"}".formatted(issuer,
				user, now - 60, now + ttl.toSeconds(), use);
	}

	private static String unsigned(String header, String claims) {
		return BASE64.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
				+ BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
	}

	private static String sign(String header, String claims, PrivateKey key) throws GeneralSecurityException {
		String text = unsigned(header, claims);
		Signature signature = Signature.getInstance("SHA256withRSA");
		signature.initSign(key);
		signature.update(text.getBytes(StandardCharsets.US_ASCII));
		return text + "." + BASE64.encodeToString(signature.sign());
	}

	private static String hmac(String claims, byte[] secret) throws GeneralSecurityException {
		String text = unsigned("{\"alg\":\"HS256\"}", claims);
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(secret, "HmacSHA256"));
		return text + "." + BASE64.encodeToString(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
	}

	private static KeyPair other() throws GeneralSecurityException {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2048);
		return generator.generateKeyPair();
	}

	private static String jwk(RSAPublicKey key) {
		return "{\"kty\":\"RSA\",\"n\":\"" + BASE64.encodeToString(key.getModulus().toByteArray()) + "\",\"e\":\""
				+ BASE64.encodeToString(key.getPublicExponent().toByteArray()) + "\"}";
	}

}
