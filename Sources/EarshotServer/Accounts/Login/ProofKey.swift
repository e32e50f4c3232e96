import EarshotAPI
import EarshotCore
import Foundation

/// Proof that a code is presented by the app that asked for it: RFC 7636, with SHA-256 only.
///
/// The login page gets a challenge: the digest of a verifier that the app keeps. Somebody who intercepts the code on its way to the app has
/// no verifier, and cannot compute one from the challenge.
enum ProofKey {
    /// The name that RFC 7636 gives the only supported method.
    static let method = "S256"
    /// The number of characters of a challenge: 32 bytes in base64url without padding.
    static let challengeLength = 43
    /// The allowed numbers of characters of a verifier.
    static let verifierLengths = 43...128

    /// Checks the form of a challenge.
    ///
    /// - Throws: `requestInvalid` for a malformed one.
    static func check(_ challenge: String) throws(EarshotError) {
        let isChallenge = challenge.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isChallenge, challenge.utf8.count == challengeLength else {
            throw EarshotError(
                .requestInvalid,
                "code_challenge is no SHA-256 digest in base64url: give its 43 characters, without padding."
            )
        }
    }

    /// Returns the challenge of a verifier.
    static func challenge(of verifier: String) -> String { Secrets.digest(verifier).base64URL }

    /// Returns `true` if a code may be given for a verifier, or without one.
    ///
    /// - Parameters:
    ///   - challenge: The challenge that the code was created with; `nil` for an app without a proof.
    ///   - verifier: The verifier that is sent with the code.
    static func admits(_ verifier: String?, for challenge: String?) -> Bool {
        guard let challenge else { return verifier == nil }
        guard let verifier, isVerifier(verifier) else { return false }
        return Secrets.areEqual(Data(self.challenge(of: verifier).utf8), Data(challenge.utf8))
    }

    private static func isVerifier(_ text: String) -> Bool {
        let isUnreserved = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
            default: false
            }
        }
        return isUnreserved && verifierLengths.contains(text.utf8.count)
    }
}
