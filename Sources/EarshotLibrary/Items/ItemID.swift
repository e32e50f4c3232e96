public import EarshotCore
import EarshotMusic
public import Foundation

/// The identifier of an item of a library: a text that apps may store and compare.
///
/// The rule for items with a file: the identifier is made of a hash of the encoded audio alone, the packets of the stream that
/// is played, in order, without the container around them, without tags and pictures, and without the name of the file.
/// So it is the same after a restart, after the file was renamed or moved, and after its tags were changed. Files with the
/// same audio have the same identifier: where a library keeps both, because they stand on different albums, it
/// ``distinguished(by:)`` what their tags say.
///
/// Two identifiers are equal if their bytes are.
public struct ItemID: StringIdentifier {
    /// The text of the identifier.
    public let rawValue: String

    /// The shortest hash allowed, in bytes: shorter hashes of different items could be equal by chance.
    public static let minimumHashSize = 16
    /// The longest hash allowed, in bytes.
    public static let maximumHashSize = 64

    /// Creates an identifier from a stored ``rawValue``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the identifier of an item from a hash of its encoded audio.
    ///
    /// - Parameter audioHash: The hash of the packets of the audio stream, 16 to 64 bytes, always of the same function.
    /// - Throws: `metadataInvalid` for a hash that is shorter or longer.
    public init(audioHash: some Collection<UInt8>) throws(EarshotError) {
        guard (Self.minimumHashSize...Self.maximumHashSize).contains(audioHash.count) else {
            throw EarshotError(
                .metadataInvalid,
                "A hash of \(audioHash.count) bytes does not identify an item: give one of 16 to 64 bytes."
            )
        }
        rawValue = "audio-" + audioHash.hexadecimal
    }

    /// Creates the identifier of an item from a library's own key, for items whose audio cannot be read.
    ///
    /// - Parameters:
    ///   - library: The name of the library.
    ///   - key: The library's own identifier of the item; as stable as the library keeps it.
    public init(library: String, key: String) {
        rawValue = DerivedID.text("key", bytes: Data(library.utf8) + [0xFF] + Data(key.utf8))
    }

    /// Creates the identifier of an item from its address. It changes with the address: use it only if the audio
    /// cannot be read.
    public init(address: URL) {
        rawValue = DerivedID.text("address", bytes: Data(address.absoluteString.utf8))
    }

    /// Returns the identifier of one of several items with the same audio, made from texts that differ: album, disc and number.
    ///
    /// - Parameter texts: The texts that distinguish the items, always in the same order; `nil` for an absent one.
    public func distinguished(by texts: [String?]) -> ItemID {
        ItemID(rawValue: rawValue + "~" + DerivedID.text("as", texts))
    }
}
