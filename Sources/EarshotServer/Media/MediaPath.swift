import EarshotCore
import Foundation

/// The identifier of an asset as it stands in a request: the name of a root and the path below it, `music/Album/01.flac`.
///
/// It is always a valid path below a root. The file need not exist.
struct MediaPath: Hashable, Sendable {
    /// The name of the root.
    let root: String
    /// The names that lead from the root to the asset; empty for the root itself.
    let names: [String]

    /// The largest size of an identifier, in bytes.
    static let maximumSize = 4_096

    /// - Parameter id: The identifier, unescaped.
    /// - Throws: `accessDenied`, with the reason, for a path that could lead out of the root; `requestInvalid` if it is empty or too long.
    init(_ id: String) throws(EarshotError) {
        guard (1...Self.maximumSize).contains(id.utf8.count) else {
            throw EarshotError(
                .requestInvalid,
                "The identifier of an asset has 1 to \(Self.maximumSize) bytes: write it as ROOT/PATH."
            )
        }
        // Split by bytes: a slash with a combining mark is one character, but for the system still a slash.
        let parts = id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        for part in parts {
            if let reason = Self.refusal(of: part) {
                throw EarshotError(
                    .accessDenied,
                    "This asset is refused because its identifier has \(reason): only what lies in a media folder is read."
                )
            }
        }
        root = parts[0]
        names = Array(parts.dropFirst())
    }

    /// Returns the reason why a name may not be part of a path; `nil` if it may.
    private static func refusal(of name: String) -> String? {
        if name.isEmpty { return "an empty name, or begins or ends with a slash" }
        if name.utf8.elementsEqual("..".utf8) { return "a parent reference (..)" }
        // `.` is the folder itself; other names with a dot are hidden files.
        if name.utf8.first == UInt8(ascii: ".") { return "a name that begins with a dot" }
        if name.utf8.contains(0) { return "a zero byte" }
        // An identifier that is escaped twice is an attempt to get past these checks.
        var text = name
        while let decoded = text.removingPercentEncoding, !decoded.utf8.elementsEqual(text.utf8) {
            if decoded.utf8.contains(UInt8(ascii: "/")) { return "a slash that is escaped twice" }
            if decoded.utf8.contains(0) { return "a zero byte that is escaped twice" }
            if decoded.utf8.first == UInt8(ascii: ".") { return "a dot that is escaped twice" }
            text = decoded
        }
        return nil
    }
}
