import Crypto
import CryptoExtras
import EarshotCore
import Foundation

/// Password hashes by scrypt, which takes so much time and memory that passwords cannot be tried in bulk.
///
/// The form is `scrypt$LOGN$R$P$SALT$DIGEST`, so that the parameters can be raised while older hashes can still be
/// compared. All calls block.
enum PasswordDigest {
    /// The allowed numbers of code points of a password.
    static let lengths = 8...200
    static let lengthRefused = EarshotError(
        .requestInvalid,
        "The password does not have 8 to 200 characters: choose another."
    )
    private static let logRounds = 15

    /// Checks the length of a new password.
    ///
    /// - Throws: `requestInvalid` for one that is too short or too long.
    static func check(_ password: String) throws(EarshotError) {
        guard lengths.contains(password.unicodeScalars.count) else { throw lengthRefused }
    }

    static func make(_ password: String) throws(EarshotError) -> Data {
        let salt = Secrets.bytes(16)
        let digest = try derive(password, salt, logRounds: logRounds, blockSize: 8, parallelism: 1)
        return Data(
            "scrypt$\(logRounds)$8$1$\(salt.base64EncodedString())$\(digest.base64EncodedString())".utf8
        )
    }

    /// Returns `true` if a password matches a hash. It takes as long without a hash, so that the time does not reveal
    /// unknown names.
    static func matches(_ password: String, _ kept: Data?) throws(EarshotError) -> Bool {
        let parts = kept.map { String(decoding: $0, as: UTF8.self).split(separator: "$") } ?? []
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), (10...20).contains(rounds),
            let size = Int(parts[2]), (1...32).contains(size), let parallelism = Int(parts[3]),
            (1...16).contains(parallelism), let salt = Data(base64Encoded: String(parts[4])),
            let digest = Data(base64Encoded: String(parts[5]))
        else {
            _ = try derive(password, Data(count: 16), logRounds: logRounds, blockSize: 8, parallelism: 1)
            return false
        }
        return Secrets.areEqual(
            digest,
            try derive(password, salt, logRounds: rounds, blockSize: size, parallelism: parallelism)
        )
    }

    private static func derive(
        _ password: String,
        _ salt: Data,
        logRounds: Int,
        blockSize: Int,
        parallelism: Int
    ) throws(EarshotError) -> Data {
        do {
            // The same letter may be encoded composed or decomposed: both must give the same digest.
            let text = password.prefix(400).description.precomposedStringWithCompatibilityMapping
            let key = try KDF.Scrypt.deriveKey(
                from: Data(text.utf8),
                salt: salt,
                outputByteCount: 32,
                rounds: 1 << logRounds,
                blockSize: blockSize,
                parallelism: parallelism
            )
            return key.withUnsafeBytes { Data($0) }
        } catch {
            throw EarshotError(.internalError, "A password could not be compared.", cause: error)
        }
    }
}
