import BenchmarkSupport
import Earshot
import EarshotCatalogs
import Foundation

/// Many references in several catalog files, searched as one catalog of as many segments: the one place that knows how a
/// large catalog is put together.
struct CatalogSet {
    /// A reference that goes into the set.
    struct Entry {
        var id: ReferenceID
        var signature: Signature
    }

    /// What building took.
    struct Building: Codable {
        /// Adding, indexing and writing, all threads together, and from beginning to end.
        var processor = 0.0
        var wall = 0.0
        /// Making the references up, which no user pays.
        var synthesis = 0.0
        /// The most that was resident, made-up references included.
        var memory = 0
    }

    let files: [URL]
    let catalog: Catalog

    /// Writes catalog files of at most so many references each, or takes those that an earlier run has left.
    ///
    /// - Parameters:
    ///   - count: References in all.
    ///   - jobs: Files that are written at once; each takes some 360 KB of memory a reference.
    ///   - entry: Gives the reference of a number.
    static func write(
        count: Int,
        perFile: Int,
        jobs: Int,
        to folder: URL,
        entry: @escaping @Sendable (Int) -> Entry
    ) throws -> (files: [URL], building: Building) {
        let record = folder.appendingPathComponent("build.json")
        let files = (0..<(count + perFile - 1) / perFile).map { number in
            let digits = String(number)
            let name = String(repeating: "0", count: 4 - min(4, digits.count)) + digits
            return folder.appendingPathComponent("part-\(name).earcat")
        }
        if let data = try? Data(contentsOf: record) {
            guard files.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else {
                throw Failure("\(folder.path) was made with other numbers: remove it.")
            }
            return (files, try JSONDecoder().decode(Building.self, from: data))
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let line = ProgressLine("files", total: files.count)
        let start = ProcessorTime.now
        let times = try Parallel.map(Array(files.indices), jobs: jobs, progress: line.show) { number in
            var building = Building()
            var catalog = Catalog()
            for reference in number * perFile..<min(count, (number + 1) * perFile) {
                let before = ProcessorTime.nowOfThread.processor
                let entry = entry(reference)
                let made = ProcessorTime.nowOfThread.processor
                try catalog.add(entry.signature, representing: [], id: entry.id)
                building.synthesis += made - before
                building.processor += ProcessorTime.nowOfThread.processor - made
            }
            let before = ProcessorTime.nowOfThread.processor
            try catalog.write(to: files[number], replacing: true)
            building.processor += ProcessorTime.nowOfThread.processor - before
            return building
        }
        var building = Building()
        for time in times {
            building.processor += time.processor
            building.synthesis += time.synthesis
        }
        building.wall = (ProcessorTime.now - start).wall
        building.memory = ProcessMemory.peak
        try Output.write(building, to: record.path)
        return (files, building)
    }

    /// Opens files as one catalog.
    init(_ files: [URL]) throws {
        self.files = files
        catalog = try Catalog(segments: files)
    }
}
