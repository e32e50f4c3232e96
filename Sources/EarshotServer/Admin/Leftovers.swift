import EarshotCore
import Foundation

/// Removes the files that killed processes have left in a service's folder. Blocks.
struct Leftovers {
    /// The age, in seconds, up to which the operator's commands may still be writing files of these names.
    private static let patience = 3_600.0

    /// The time for which the report of an import is kept, in seconds: 90 days.
    private static let reportLifetime = 90.0 * 86_400
    /// The time for which a file that is to be imported may wait, in seconds: a week.
    private static let importPatience = 7.0 * 86_400

    private let folder: URL
    private let now: Date

    /// - Parameters:
    ///   - folder: The service's folder, which no other service uses.
    ///   - now: The time.
    init(in folder: URL, at now: Date) {
        (self.folder, self.now) = (folder, now)
    }

    /// Removes uploads, copies of the catalog, backups and bundles that were not finished: what has a name that the service gives, and
    /// nothing that somebody put beside it.
    func remove() {
        remove(in: nil) { name in
            name == CatalogCopy.name || Self.isOwn(name, "upload-") || Self.isOwn(name, "tmp-", ".earcat")
        }
        // Only names that the service gives: a command of the operator may be writing a backup under another name.
        remove(in: "backups") { $0.wholeMatch(of: /\d{8}T\d{6}Z-.{4}\.partial/) != nil }
        // Commands of the operator write files of these names too, so recent ones stay.
        let end = now.addingTimeInterval(-Self.patience)
        func isUnfinished(_ name: String) -> Bool { Self.isOwn(name, ".earshot-", ".partial") }
        remove(in: nil, before: end, where: isUnfinished)
        remove(in: BundleRepository.folderName, before: end) { Self.isOwn($0, "tmp-") || isUnfinished($0) }
        let imports = ImportFiles.folderName
        remove(in: imports, before: now.addingTimeInterval(-Self.importPatience)) { UUID(uuidString: $0) != nil }
        remove(in: imports, before: now.addingTimeInterval(-Self.reportLifetime)) { $0.hasSuffix(".json") }
        for name in names(in: PublishedCatalogs.folderName) where ResourceName.isValid(name) {
            remove(in: "\(PublishedCatalogs.folderName)/\(name)", before: end, where: isUnfinished)
        }
    }

    /// Returns `true` if a name has a unique identifier between its beginning and its end.
    private static func isOwn(_ name: String, _ beginning: String, _ end: String = "") -> Bool {
        name.hasPrefix(beginning) && name.hasSuffix(end)
            && UUID(uuidString: String(name.dropFirst(beginning.count).dropLast(end.count))) != nil
    }

    private func url(_ part: String?) -> URL { part.map { folder.appendingPathComponent($0) } ?? folder }

    private func names(in part: String?) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: url(part).path)) ?? []
    }

    /// Removes the files in a subfolder, or in the folder itself for `nil`, whose names match and that were last modified before `end`.
    private func remove(in part: String?, before end: Date? = nil, where isLeft: (String) -> Bool) {
        for name in names(in: part) where isLeft(name) {
            let file = url(part).appendingPathComponent(name)
            if let end {
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
                guard let changed = attributes?[.modificationDate] as? Date, changed < end else { continue }
            }
            try? FileManager.default.removeItem(at: file)
        }
    }
}
