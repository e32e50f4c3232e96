import BenchmarkSupport
import Earshot
import Foundation

/// Many references in several catalog files, searched as one: the one place that knows how a large catalog is put
/// together.
struct CatalogSet {
    /// A reference that goes into the set.
    struct Entry {
        var id: ReferenceID
        var signature: Signature
    }

    let files: [URL]
    let catalogs: [Catalog]

    /// Writes catalogs of at most so many references each.
    ///
    /// - Parameters:
    ///   - count: References in all.
    ///   - entry: Gives the reference of a number.
    ///   - building: Is called with the work of adding, indexing and writing, so that it can be measured apart from the
    ///     making of references.
    static func write(
        count: Int,
        perFile: Int,
        to folder: URL,
        entry: (Int) -> Entry,
        building: (() throws -> Void) throws -> Void
    ) throws -> [URL] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var files: [URL] = []
        let line = ProgressLine("references", total: count)
        for start in stride(from: 0, to: count, by: perFile) {
            let entries = (start..<min(count, start + perFile)).map(entry)
            let name = String(repeating: "0", count: 4 - min(4, "\(files.count)".count)) + "\(files.count)"
            let url = folder.appendingPathComponent("part-\(name).earcat")
            try building {
                var catalog = Catalog()
                for entry in entries { try catalog.add(entry.signature, representing: [], id: entry.id) }
                try catalog.write(to: url, replacing: true)
            }
            files.append(url)
            line.show(min(count, start + perFile))
        }
        return files
    }

    /// Opens catalogs.
    init(_ files: [URL]) throws {
        self.files = files
        catalogs = try files.map { try Catalog(contentsOf: $0) }
    }

    /// The best candidate of all; other speeds and pitches only when no catalog has an answer at once.
    func search(_ query: Signature, escalates: Bool) throws -> (
        id: String?, score: Double, isAnswered: Bool, offset: Double
    ) {
        let plain = try best(query, escalates: false)
        guard escalates, !plain.isAnswered else { return plain }
        return try best(query, escalates: true)
    }

    private func best(
        _ query: Signature,
        escalates: Bool
    ) throws -> (id: String?, score: Double, isAnswered: Bool, offset: Double) {
        var best: (id: String?, score: Double, isAnswered: Bool, offset: Double) = (nil, 0, false, 0)
        for catalog in catalogs {
            let found = try Engine.search(catalog, for: query, escalates: escalates)
            if found.score > best.score { best = found }
        }
        return best
    }
}
