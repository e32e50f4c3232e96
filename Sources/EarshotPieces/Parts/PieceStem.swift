public import EarshotCore
import Foundation

/// A stem of a piece besides its mix, such as the drums alone.
public struct PieceStem: Hashable, Sendable {
    /// The most stems besides the mix.
    public static let most = 64

    /// The name: 1 to 50 code points that are valid in a file name.
    public let name: String
    /// The audio.
    public let sound: PackagedAudio

    /// Creates a stem. ``check(names:)`` reports an invalid name.
    public init(name: String, sound: PackagedAudio) {
        self.name = name
        self.sound = sound
    }

    /// Looks whether the stems of one piece can be called so: each can be the name of a file on every system, and no two differ in letter
    /// case alone.
    ///
    /// - Parameter names: Their names.
    /// - Throws: `pieceInvalid`, naming the stem, or for more than ``most``.
    public static func check(names: [String]) throws(EarshotError) {
        guard names.count <= most else {
            throw EarshotError(
                .pieceInvalid,
                "The piece has \(names.count) stems: \(most) are allowed besides the mix."
            )
        }
        var seen: Set<String> = []
        for name in names {
            guard isName(name) else {
                throw EarshotError(
                    .pieceInvalid,
                    "\(PackageFault.quoted(name)) cannot be the name of a stem: give it 1 to \(PieceDraft.longestTitle) code points "
                        + "that can be the name of a file."
                )
            }
            guard seen.insert(folded(name)).inserted else {
                throw EarshotError(
                    .pieceInvalid,
                    "Two stems are called \(PackageFault.quoted(name)): give each a name of its own."
                )
            }
        }
    }

    /// Returns `true` if a stem can be called so.
    static func isName(_ name: String) -> Bool {
        (1...PieceDraft.longestTitle).contains(name.unicodeScalars.count)
            && AttachmentBundle.isFileName(name + ".wav") && name.utf8.first != UInt8(ascii: ".")
            && name == name.trimmingCharacters(in: .whitespaces)
    }

    /// A name as file systems compare it that fold letter case and forms of letters.
    static func folded(_ name: String) -> String { name.lowercased().precomposedStringWithCanonicalMapping }
}
