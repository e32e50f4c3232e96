import Crypto
import Foundation

/// Creation of secrets, and comparison in constant time.
enum Secrets {
    /// Returns random bytes from the system's generator.
    static func bytes(_ count: Int) -> Data {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Data($0) }
    }

    /// Returns a random text of letters and digits.
    ///
    /// - Parameters:
    ///   - count: The number of characters.
    ///   - alphabet: The characters to choose from. 256 should be a multiple of their number, or the first ones are
    ///     likelier.
    static func text(_ count: Int, from alphabet: [Character] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")) -> String {
        String(bytes(count).map { alphabet[Int($0) % alphabet.count] })
    }

    /// Returns the SHA-256 digest of a secret, which is stored in its place. Secrets made here have at least 160 random
    /// bits, so they cannot be guessed. A slow hash as for passwords would only slow the service down.
    static func digest(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

    /// Returns `true` if two byte strings are equal. The time depends on their lengths only.
    static func areEqual(_ left: Data, _ right: Data) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return difference == 0
    }

    /// Returns `true` if a digest is that of a secret. Compares in constant time.
    static func matches(_ secret: String, _ digest: Data) -> Bool { areEqual(self.digest(secret), digest) }

    /// Returns a random name for a record.
    static func name() -> String { text(32, from: Array("abcdefghijklmnopqrstuvwxyz234567")) }
}
