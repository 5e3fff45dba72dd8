package io.parley.server.issuer;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;

/** Reads public keys from PEM. */
final class PublicKeyPem {

	private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";

	private static final String END = "-----END PUBLIC KEY-----";

	private static final int MIN_BITS = 2_048;

	private PublicKeyPem() {
	}

	/**
	 * Returns the key in a text.
	 * @throws IllegalArgumentException if there is none, or not one that is strong enough
	 */
	static JWK read(String pem) {
		int begin = pem.indexOf(BEGIN);
		int end = pem.indexOf(END);
		if (begin < 0 || end < begin) {
			throw new IllegalArgumentException("not found");
		}
		byte[] encoded = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
		X509EncodedKeySpec key = new X509EncodedKeySpec(encoded);
		try {
			return rsa((RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(key));
		}
		catch (GeneralSecurityException ex) {
			return ec(key);
		}
	}

	private static JWK rsa(RSAPublicKey key) {
		if (key.getModulus().bitLength() < MIN_BITS) {
			throw new IllegalArgumentException("fewer than " + MIN_BITS + " bits");
		}
		return new RSAKey.Builder(key).build();
	}

	private static JWK ec(X509EncodedKeySpec encoded) {
		try {
			ECPublicKey key = (ECPublicKey) KeyFactory.getInstance("EC").generatePublic(encoded);
			Curve curve = Curve.forECParameterSpec(key.getParams());
			if (curve == null) {
				throw new IllegalArgumentException("unknown curve");
			}
			return new ECKey.Builder(curve, key).build();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("neither RSA nor EC", ex);
		}
	}

	/** Returns whether signatures of this algorithm can be verified with the key. */
	static boolean fits(JWK key, JWSAlgorithm algorithm) {
		if (key instanceof ECKey ec) {
			return JWSAlgorithm.Family.EC.contains(algorithm)
					&& Curve.forJWSAlgorithm(algorithm).contains(ec.getCurve());
		}
		return JWSAlgorithm.Family.RSA.contains(algorithm);
	}

}
