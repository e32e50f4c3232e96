import EarshotCore
import Foundation

/// Makes addresses of what stands in a playlist, and paths of addresses.
struct PlaylistLocation {
    /// The playlist.
    let base: URL?

    init(base: URL?) {
        self.base = base
    }

    /// The address of a path or an address in a list of paths; `nil` for one that cannot be.
    ///
    /// Backslashes of paths that other systems wrote separate folders: `..\Music\a.mp3`.
    func url(ofPath text: some StringProtocol) -> URL? {
        guard !text.utf8.contains(0) else { return nil }
        if Self.hasScheme(text) { return URL(string: String(text)) }
        var path = String(text)
        // A drive is no folder below the playlist; its path is kept as an absolute one.
        let hasDrive = Self.hasDrive(path)
        if hasDrive || path.contains("\\") && !path.contains("/") { path = path.replacing("\\", with: "/") }
        if hasDrive { path = "/" + path }
        return file(path)
    }

    /// The address of a reference as RFC 3986 has it: escaped, and relative or not. Spaces and other letters that should have
    /// been escaped are forgiven.
    func url(ofReference text: some StringProtocol) -> URL? {
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        let text = String(text)
        if Self.hasScheme(text) { return URL(string: text) }
        guard base?.isFileURL ?? true else { return URL(string: text, relativeTo: base)?.absoluteURL }
        guard let path = Self.unescaped(text), !path.utf8.contains(0) else { return nil }
        return file(path)
    }

    /// The path of an address as it stands in a list of paths: relative where the file lies below the playlist's folder.
    func path(of url: URL) -> String {
        guard url.isFileURL else { return url.absoluteString }
        let path = Self.below(base, url) ?? url.standardizedFileURL.path
        // Ends of lines and spaces at the end can be written in an address only.
        if path.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) || path.last?.isWhitespace ?? true {
            return url.absoluteString
        }
        // A name may look like a comment, an address or a path of another system: then it begins with a folder.
        let isMisleading =
            path.hasPrefix("#") || Self.hasScheme(path) || Self.hasDrive(path) || path.first?.isWhitespace ?? true
            || path.contains("\\") && !path.contains("/")
        return isMisleading ? "./" + path : path
    }

    /// The reference to an address, relative where the file lies below the playlist's folder.
    func reference(to url: URL) -> String {
        guard url.isFileURL, let path = Self.below(base, url) else { return url.absoluteString }
        return path.addingPercentEncoding(withAllowedCharacters: Self.allowed) ?? url.absoluteString
    }

    /// A text without escapes; a percent sign that begins none is kept. `nil` if the bytes are no UTF-8.
    ///
    /// Foundation would drop a byte order mark, which the name of a file may begin with.
    private static func unescaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(isHexadecimal),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

    /// Signs that a relative reference may hold; a colon would look like the end of a scheme.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    )

    /// The file of a path; whether there is one, and whether it is a folder, is not looked up.
    private func file(_ path: String) -> URL? {
        guard !path.isEmpty else { return nil }
        if path.hasPrefix("/") { return URL(fileURLWithPath: path, isDirectory: false).standardizedFileURL }
        guard let base else { return URL(fileURLWithPath: path, isDirectory: false).standardizedFileURL }
        let folder = base.deletingLastPathComponent()
        guard base.isFileURL else { return folder.appendingPathComponent(path, isDirectory: false).standardized }
        return folder.appendingPathComponent(path, isDirectory: false).standardizedFileURL
    }

    private static func below(_ base: URL?, _ url: URL) -> String? {
        guard let base, base.isFileURL else { return nil }
        var folder = base.deletingLastPathComponent().standardizedFileURL.path
        if !folder.hasSuffix("/") { folder += "/" }
        let path = url.standardizedFileURL.path
        // By bytes, as file systems compare.
        guard path.utf8.starts(with: folder.utf8), path.utf8.count > folder.utf8.count else { return nil }
        return String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    }

    /// Returns `true` if a path begins with the letter of a drive.
    private static func hasDrive(_ path: String) -> Bool {
        let letters = Array(path.utf8.prefix(3))
        return letters.count == 3 && letters[1] == UInt8(ascii: ":") && isLetter(letters[0])
    }

    /// Returns `true` if a text begins with a scheme. One letter is the name of a drive; without `//` only `file:` is
    /// taken for one, as names of files have colons too.
    private static func hasScheme(_ text: some StringProtocol) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard scheme.count > 1, scheme.count <= 32, let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || $0 &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return false }
        return text.utf8[colon...].starts(with: "://".utf8) || String(text[..<colon]).lowercased() == "file"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
