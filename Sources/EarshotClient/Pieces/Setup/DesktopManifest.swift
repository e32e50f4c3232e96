import EarshotCore
import Foundation

/// The manifest of an app on a freedesktop.org system: its desktop entries with `MimeType=x-scheme-handler/…`.
package struct DesktopManifest: AppManifest {
    /// The folders with entries; one of the first hides those of its name in the others.
    private let folders: [String]

    /// Creates a manifest that reads the desktop entries of the user and the system.
    ///
    /// - Parameter environment: The environment variables `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME`, which locate the
    ///   entries.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let places = UserFolders(environment: environment, layout: .freedesktop)
        folders = ([places.base(.data)] + places.systemData).map { $0.appendingPathComponent("applications").path }
    }

    /// Returns `true` if a desktop entry that is not hidden handles the scheme. Reads the entries on each call.
    package func opens(scheme: String) -> Bool {
        var seen: Set<String> = []
        for folder in folders {
            let names = FileManager.default.enumerator(atPath: folder)
            while let name = names?.nextObject() as? String {
                guard name.hasSuffix(".desktop"),
                    // The standard's own name of an entry in a folder below.
                    seen.insert(name.replacingScalars(["/": "-"])).inserted
                else { continue }
                if let text = Self.text("\(folder)/\(name)"), Self.handles(text, scheme) { return true }
            }
        }
        return false
    }

    /// Always empty: a desktop needs no usage texts.
    package var missingPermissionTexts: [AppPermission] { [] }

    private static func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func handles(_ entry: String, _ scheme: String) -> Bool {
        var (isInGroup, isHidden, types) = (false, false, [Substring]())
        for line in entry.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                isInGroup = line == "[Desktop Entry]"
            } else if isInGroup, let equals = line.firstIndex(of: "=") {
                let value = line[line.index(after: equals)...].drop(while: \.isWhitespace)
                switch line[..<equals].trimmingCharacters(in: .whitespaces) {
                case "MimeType": types = value.split(separator: ";")
                case "Hidden": isHidden = value == "true"
                default: break
                }
            }
        }
        return !isHidden && types.contains { $0.lowercased() == "x-scheme-handler/\(scheme.lowercased())" }
    }
}
