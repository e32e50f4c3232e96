public import Earshot
public import Foundation

/// Writes a catalog as a folder, which appears whole or not at all: an ``ExportedFolder``.
public struct FolderExport {
    private let catalog: Catalog
    private let folder: URL

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - folder: The folder that is to be made.
    public init(_ catalog: Catalog, to folder: URL) {
        self.catalog = catalog
        // What a link leads to is written, and not put in the place of the link.
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
    }

    private struct Line: Encodable {
        struct Reference: Encodable {
            let id: String
            let seconds: Double
            let landmarks: Int
            let items: [[String: JSONValue]]
        }

        let file: String
        let reference: Reference
    }

    /// Writes the folder.
    ///
    /// - Parameter replacing: `true` if a folder that an export wrote may be replaced.
    /// - Returns: The number of references that were written.
    /// - Throws: `destinationExists` for a folder that is not empty and is not to be replaced, or that has other files;
    ///   `writeFailed`; `catalogInvalid` for a damaged catalog. What was there is then as it was.
    public func write(replacing: Bool) throws -> Int {
        try check(replacing: replacing)
        let name = ".earshot-\(UUID().uuidString)"
        let parent = folder.deletingLastPathComponent()
        let partial = parent.appendingPathComponent(name + ".partial", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made: check the rights of the folder around it.",
                cause: error
            )
        }
        defer { try? FileManager.default.removeItem(at: partial) }
        let count = try write(to: partial)
        let aside = parent.appendingPathComponent(name + ".replaced", isDirectory: true)
        try give(partial, replacing: replacing, aside: aside)
        return count
    }

    /// Gives the finished folder its name.
    private func give(_ partial: URL, replacing: Bool, aside: URL) throws(EarshotError) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        if names?.isEmpty == true {
            // A folder that is there, in which its owner may stand, stays the same one. The file by which it is known comes last.
            let made = ((try? FileManager.default.contentsOfDirectory(atPath: partial.path)) ?? []).sorted()
            var given: [URL] = []
            for name in made.filter({ $0 != ExportedFolder.settingsName }) + [ExportedFolder.settingsName] {
                let target = folder.appendingPathComponent(name)
                guard rename(partial.appendingPathComponent(name).path, target.path) == 0 else {
                    let failure = unnamed()
                    for url in given { unlink(url.path) }
                    throw failure
                }
                given.append(target)
            }
            return
        }
        // Another export has been faster since the check.
        guard names == nil || replacing else { throw isNotEmpty }
        guard names == nil || rename(folder.path, aside.path) == 0 else { throw unnamed() }
        guard rename(partial.path, folder.path) == 0 else {
            let failure = unnamed()
            if names != nil { rename(aside.path, folder.path) }
            throw failure
        }
        if names != nil { try? FileManager.default.removeItem(at: aside) }
        Durability.flush(folder: folder.deletingLastPathComponent().path)
    }

    private func unnamed() -> EarshotError {
        // Another export to the same folder has been faster.
        if errno == ENOTEMPTY || errno == EEXIST { return isNotEmpty }
        let reason = String(cString: strerror(errno))
        return EarshotError(
            .writeFailed,
            "The folder \(folder.path) cannot be written (\(reason)): check its rights and those of the folder around it."
        )
    }

    /// Refuses a folder that may not be replaced.
    private func check(replacing: Bool) throws(EarshotError) {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw AtomicFile.exists(folder)
        }
        guard !names.isEmpty else { return }
        guard replacing else { throw isNotEmpty }
        if let other = names.sorted().first(where: { !Self.isWritten($0) }) {
            throw EarshotError(
                .destinationExists,
                "\(folder.path) holds \(other), which no export wrote: choose another folder."
            )
        }
    }

    private var isNotEmpty: EarshotError {
        EarshotError(
            .destinationExists,
            "\(folder.path) is not empty: choose another name, or say --replace for a folder of an earlier export."
        )
    }

    /// Returns `true` if an export gives a file such a name.
    private static func isWritten(_ name: String) -> Bool {
        [ExportedFolder.itemsName, ExportedFolder.settingsName].contains(name)
            || name.hasSuffix(".earsig") && name.prefix(6).allSatisfy(\.isNumber) && name.dropFirst(6).first == " "
    }

    // MARK: - Writing

    private func write(to folder: URL) throws -> Int {
        var lines: [String] = []
        try catalog.forEachReference { reference in
            // Numbered, so that names that a file system cannot hold do not matter.
            let safe = reference.id.rawValue.map { $0.isLetter || $0.isNumber || "-_. ".contains($0) ? $0 : "_" }
            let file = "\(String(format: "%06d", lines.count + 1)) \(Self.ending(of: String(safe))).earsig"
            try reference.signature.write(to: folder.appendingPathComponent(file))
            let line = Line(
                file: file,
                reference: Line.Reference(
                    id: reference.id.rawValue,
                    seconds: reference.signature.duration.seconds,
                    landmarks: reference.signature.landmarks.count,
                    items: try reference.items.map(ItemJSON.object)
                )
            )
            lines.append(try JSON.line(line))
        }
        let settings = ExportedFolder.Settings(
            minimumQuery: catalog.queryLimits.minimum.seconds,
            maximumQuery: catalog.queryLimits.maximum.seconds
        )
        for (name, text) in [
            (ExportedFolder.itemsName, lines.map { $0 + "\n" }.joined()),
            (ExportedFolder.settingsName, try JSON.document(settings) + "\n"),
        ] {
            try AtomicFile.write(Array(text.utf8), to: folder.appendingPathComponent(name), replacing: false)
        }
        return lines.count
    }

    /// The last characters of a name that together take at most 120 bytes.
    private static func ending(of name: String) -> String {
        var ending = name[...]
        while ending.utf8.count > 120 { ending.removeFirst() }
        return String(ending)
    }
}
