import BenchmarkSupport
import Earshot
import Foundation

/// The memory that open catalogs take, measured in a process of its own: one that has built them holds memory that has
/// nothing to do with it.
enum MemoryProbe {
    /// Opens catalogs in another process and asks them a few queries.
    ///
    /// - Returns: What opening takes, and after the queries what is taken and how many pages of the files are resident.
    static func run(_ files: [URL], queries: [QueryFolder.Query]) throws -> (open: Int, after: Int, mapped: Int) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scale-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for query in queries.prefix(20) {
            try query.signature.write(to: folder.appendingPathComponent("\(query.id).earsig"))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--probe", folder.path] + files.map(\.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 3 else { throw Failure("The memory could not be measured.") }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// The other process's part: the folder of queries and the catalogs.
    static func answer(_ arguments: [String]) throws {
        let queries = try QueryFolder(arguments[0], limit: .max, jobs: 1).queries
        let before = (ProcessMemory.anonymous, ProcessMemory.mapped)
        let set = try CatalogSet(arguments.dropFirst().map { URL(fileURLWithPath: $0) })
        let open = ProcessMemory.anonymous - before.0
        try withExtendedLifetime(set) {
            for query in queries { _ = try Engine.search(set.catalog, for: query.signature, escalates: false) }
            print(open, ProcessMemory.anonymous - before.0, ProcessMemory.mapped - before.1)
        }
    }
}
