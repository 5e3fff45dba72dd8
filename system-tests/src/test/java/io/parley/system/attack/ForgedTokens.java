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
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Invalid tokens, each with a description of its defect. */
final class ForgedTokens {

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	/** The header of a token of another type. */
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
	 * @param real a valid token of that user
	 */
	Map<String, String> of(String user, String real) throws GeneralSecurityException {
		Map<String, String> tokens = new LinkedHashMap<>();
		String header = part(real, 0);
		String right = part(real, 1);
		long end = Long.parseLong(right.replaceAll(".*\"exp\":(\\d+).*", "$1"));
		for (String none : new String[] { "none", "None", "NONE", "" }) {
			tokens.put("alg '" + none + "'", unsigned(header.replace("RS256", none), right) + ".");
		}
		tokens.put("no signature", real.substring(0, real.lastIndexOf('.') + 1));
		tokens.put("a signature of other claims", unsigned(header, right.replace("\"" + user + "\"", "\"alice\""))
				+ real.substring(real.lastIndexOf('.')));
		KeyPair other = other();
		tokens.put("another key", sign(header, right, other.getPrivate()));
		tokens.put("another key, which comes along",
				sign(without(header, "kid").replace("{", "{\"jwk\":" + jwk((RSAPublicKey) other.getPublic()) + ","),
						right, other.getPrivate()));
		tokens.put("another key by its address",
				sign(without(header, "kid").replace("{", "{\"kid\":\"../../x\",\"jku\":\"http://127.0.0.1:1/jwks\","),
						right, other.getPrivate()));
		String pem = "-----BEGIN PUBLIC KEY-----\n"
				+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(this.publicKey.getEncoded())
				+ "\n-----END PUBLIC KEY-----\n";
		tokens.put("HS256 with the public key", hmac(header, right, this.publicKey.getEncoded()));
		tokens.put("HS256 with the public key as PEM", hmac(header, right, pem.getBytes(StandardCharsets.US_ASCII)));
		tokens.put("expired", sign(header, right.replace("\"exp\":" + end, "\"exp\":" + (now() - 1)), this.key));
		tokens.put("another issuer", sign(header, right.replace("\"iss\":\"parley\"", "\"iss\":\"evil\""), this.key));
		tokens.put("no type", sign(RS256, right, this.key));
		tokens.put("the type of any token", sign("{\"alg\":\"RS256\",\"typ\":\"JWT\"}", right, this.key));
		tokens.put("no end", sign(header, without(right, "exp"), this.key));
		tokens.put("no user", sign(header, without(right, "sub"), this.key));
		tokens.put("a user as an array",
				sign(header, right.replace("\"sub\":\"" + user + "\"", "\"sub\":[\"" + user + "\"]"), this.key));
		tokens.put("a user without an account", sign(header, right.replace("\"" + user + "\"", "\"ghost\""), this.key));
		tokens.put("another user's sign-in", sign(header, right.replace("\"" + user + "\"", "\"bert\""), this.key));
		tokens.put("no sign-in", sign(header, without(right, "sid"), this.key));
		tokens.put("a sign-in that does not exist",
				sign(header, right.replaceAll("\"sid\":\"[^\"]*\"", "\"sid\":\"AAAAAAAAAAAAAAAAAAAAAA\""), this.key));
		tokens.put("no token at all", "nobody");
		tokens.put("dots", "..");
		return tokens;
	}

	/**
	 * Returns a copy of a valid token that this key has signed. It proves that the others
	 * fail only because of their defects.
	 */
	String resigned(String real) throws GeneralSecurityException {
		return sign(part(real, 0), part(real, 1), this.key);
	}

	private static String part(String token, int part) {
		return new String(Base64.getUrlDecoder().decode(token.split("\\.")[part]), StandardCharsets.UTF_8);
	}

	private static String without(String json, String field) {
		return json.replaceAll("\"" + field + "\":(\"[^\"]*\"|\\d+),|,\"" + field + "\":(\"[^\"]*\"|\\d+)", "");
	}

	private static long now() {
		return Instant.now().getEpochSecond();
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

	private static String hmac(String header, String claims, byte[] secret) throws GeneralSecurityException {
		String text = unsigned(without(header, "kid").replace("RS256", "HS256"), claims);
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
