public import EarshotCore
import Foundation

/// A stem of a piece except its mix, such as the drums alone.
public struct PieceStem: Hashable, Sendable {
    /// The largest number of stems except the mix.
    public static let most = 64

    /// The name: 1 to 50 code points that are valid in a file name.
    public let name: String
    /// The audio.
    public let sound: PackagedAudio

    /// Creates a stem. ``check(names:)`` and writing a package report an invalid name.
    public init(name: String, sound: PackagedAudio) {
        self.name = name
        self.sound = sound
    }

    /// Checks the names of a piece's stems: each is a valid file name on every system, and no two differ only in letter
    /// case.
    ///
    /// - Parameter names: The names.
    /// - Throws: `pieceInvalid` with the invalid name, or for more than ``most`` names.
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

    /// Returns `true` if a stem can have the name.
    static func isName(_ name: String) -> Bool {
        (1...PieceDraft.longestTitle).contains(name.unicodeScalars.count)
            && AttachmentBundle.isFileName(name + ".wav") && name.utf8.first != UInt8(ascii: ".")
            && name == name.trimmingCharacters(in: .whitespaces)
    }

    /// Returns a name in the form that file systems compare: independent of letter case and of Unicode form.
    static func folded(_ name: String) -> String { name.lowercased().precomposedStringWithCanonicalMapping }
}
