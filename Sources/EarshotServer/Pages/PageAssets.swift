import Crypto
import EarshotAPI
import EarshotCore
import Foundation

/// The files that pages are made of: templates, scripts, styles, and the texts of each language.
///
/// They are compiled into the program, because people copy it without resource files. Files of a folder can replace them.
struct PageAssets: Sendable {
    /// The most bytes of a file.
    private static let limit = 4 << 20

    private let files: [String: [UInt8]]
    /// The folder whose files replace those of the program; `nil` for none.
    let folder: URL?
    /// The part of the addresses of files that changes when any file does, so that browsers may cache them.
    let version: String

    /// - Parameters:
    ///   - files: The files of the program by their names.
    ///   - folder: The folder whose files replace them; `nil` for none.
    init(_ files: [String: [UInt8]] = PageAssets.own, folder: URL? = nil) {
        (self.files, self.folder) = (files, folder)
        var digest = SHA256()
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            digest.update(data: Data(name.utf8))
            digest.update(data: Data(bytes))
        }
        version = folder == nil ? Data(digest.finalize()).prefix(9).base64URL : "own"
    }

    /// Returns a file; `nil` if there is none of this name.
    func file(_ name: String) -> [UInt8]? {
        guard Self.isName(name) else { return nil }
        if let url = folder?.appendingPathComponent(name), let data = try? Data(contentsOf: url),
            data.count < Self.limit
        {
            return Array(data)
        }
        return files[name]
    }

    /// Returns the files with an extension, by their names without it.
    func files(of suffix: String) -> [String: [UInt8]] {
        let own = files.keys.filter { $0.hasSuffix(".\(suffix)") }
        let others = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
        var found: [String: [UInt8]] = [:]
        for name in own + others where name.hasSuffix(".\(suffix)") {
            found[String(name.dropLast(suffix.count + 1))] = file(name)
        }
        return found
    }

    /// Returns the content type of a file that browsers may load; `nil` for other files, such as templates.
    static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.hasPrefix(".") && name.utf8.count <= 80
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            }
    }
}
