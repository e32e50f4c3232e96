public import EarshotCore
public import Foundation

/// Imports a file into a store line by line, and resumes after an interruption.
///
/// Invalid lines are reported and skipped. The store records the position in the file with every batch, so an
/// interrupted import loses no line. Importing a line twice has no further effect.
public struct MusicImport: Sendable {
    /// The progress of an import.
    public struct Progress: Hashable, Sendable, Codable {
        /// The number of lines read, including those before an interruption.
        public var lines = 0
        /// The number of those lines that were read before the interruption.
        public var earlier = 0
        /// The number of lines that were skipped.
        public var rejected = 0
        /// The number of changes written: artists, albums, tracks and other entities.
        public var changes = 0
        /// The number of bytes read.
        public var bytes: UInt64 = 0
        /// The size of the file in bytes; `nil` for a pipe.
        public var size: UInt64?
    }

    /// A line that was skipped.
    public struct Reject: Sendable {
        /// The line's number, counted from 1.
        public let line: Int
        /// The error of the line.
        public let reason: EarshotError
        /// The line itself; `nil` if it is too long.
        public let content: Data?
    }

    /// The store to write to.
    public let store: any MusicStore
    /// The number of lines in a batch.
    public let batchSize: Int

    /// Creates an import into a store.
    ///
    /// - Parameters:
    ///   - store: The store to write to.
    ///   - batchSize: The number of lines in a batch.
    public init(into store: any MusicStore, batchSize: Int = 500) {
        self.store = store
        self.batchSize = max(1, batchSize)
    }

    /// Checks that a file can be read, so that no store is created for a file that cannot.
    ///
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`.
    public static func check(_ path: String) throws(EarshotError) {
        _ = try LineFile(path: path, maximumLineSize: MusicBrainzReader.maximumLineSize)
    }

    /// Imports a file to its end.
    ///
    /// - Parameters:
    ///   - path: The file; `-` for standard input, for which an import cannot resume.
    ///   - name: The name under which the store records the position; `nil` to start from the beginning each time.
    ///   - changes: Returns the changes that a line describes, or throws the error of the line.
    ///   - rejected: Called for every line that is skipped.
    ///   - progress: Called after every batch.
    /// - Returns: The totals of the import.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `readFailed`, what the store throws, and `cancelled`.
    @discardableResult
    public func run(
        _ path: String,
        name: String? = nil,
        rejected: (@Sendable (Reject) -> Void)? = nil,
        progress: (@Sendable (Progress) -> Void)? = nil,
        changes: @escaping @Sendable (Data) throws(EarshotError) -> [MusicChange]
    ) async throws(EarshotError) -> Progress {
        let file = try LineFile(path: path, maximumLineSize: MusicBrainzReader.maximumLineSize)
        return try await run(file, path, name, rejected, progress, finish: nil, changes)
    }

    /// Imports a table of tracks to its end, as ``run(_:name:rejected:progress:changes:)`` reads lines.
    ///
    /// - Parameters:
    ///   - path: The file; `-` for standard input, for which an import cannot resume.
    ///   - name: The name under which the store records the position; `nil` to start from the beginning each time.
    ///   - ignoresUnknown: `true` to ignore unknown columns.
    ///   - unknown: Collects texts that name no descriptor.
    ///   - rejected: Called for every row that is skipped.
    ///   - progress: Called after every batch.
    /// - Returns: The totals of the import.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `readFailed`, `metadataInvalid` for a table whose
    ///   first line cannot be used, what the store throws, and `cancelled`.
    @discardableResult
    public func runTable(
        _ path: String,
        name: String? = nil,
        ignoresUnknown: Bool = false,
        unknown: UnknownDescriptors? = nil,
        rejected: (@Sendable (Reject) -> Void)? = nil,
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws(EarshotError) -> Progress {
        let file = try LineFile(path: path, maximumLineSize: TrackTable.maximumRowSize)
        let first = try await BlockingWork.run { () throws(EarshotError) in try file.peek() }
        guard let header = first?.bytes else {
            let fault = first == nil ? "is empty" : "has a first line of more than 4 MiB"
            throw EarshotError(
                .metadataInvalid,
                "\(path) \(fault): the first line names the columns, or is a JSON object."
            )
        }
        let table = try TrackTable(firstLine: header, ignoresUnknown: ignoresUnknown, unknown: unknown)
        if table.hasHeader { file.dropPeeked() }
        file.separator = table.separator
        let filling = MetadataMerger(into: store)
        return try await run(file, path, name, rejected, progress, finish: filling) { row throws(EarshotError) in
            try table.changes(in: row)
        }
    }

    private func run(
        _ file: LineFile,
        _ path: String,
        _ name: String?,
        _ rejected: (@Sendable (Reject) -> Void)?,
        _ progress: (@Sendable (Progress) -> Void)?,
        finish filling: MetadataMerger?,
        _ changes: @escaping @Sendable (Data) throws(EarshotError) -> [MusicChange]
    ) async throws(EarshotError) -> Progress {
        var state = Progress()
        if let name, let before = try await store.checkpoint(name), let last = Self.progress(before),
            last.size == file.size, file.skip(to: last.bytes, line: last.lines)
        {
            state = last
            state.earlier = last.lines
        }
        state.size = file.size
        while true {
            if Task.isCancelled {
                throw EarshotError(.cancelled, "The import of \(path) was canceled: import the file again to resume.")
            }
            let batch = try await Self.read(file, batchSize, changes)
            guard !batch.isEmpty else { break }
            var made: [MusicChange] = []
            for line in batch {
                switch line.result {
                case .success(let changes): made += changes
                case .failure(let error):
                    state.rejected += 1
                    rejected?(Reject(line: line.number, reason: error, content: line.content))
                }
                state.lines = line.last
            }
            if let filling { made = try await filling.filled(made) }
            state.changes += made.count
            state.bytes = file.offset
            if let name { made.append(.checkpoint(name, value: Self.text(state))) }
            try await store.apply(made)
            progress?(state)
        }
        state.bytes = file.offset
        if let name { try await store.apply([.checkpoint(name, value: Self.text(state))]) }
        progress?(state)
        return state
    }

    private struct Outcome: Sendable {
        var number: Int
        var last: Int
        var result: Result<[MusicChange], EarshotError>
        var content: Data?
    }

    /// Reads lines and what they say on a thread that may block.
    private static func read(
        _ file: LineFile,
        _ count: Int,
        _ changes: @escaping @Sendable (Data) throws(EarshotError) -> [MusicChange]
    ) async throws(EarshotError) -> [Outcome] {
        try await BlockingWork.run { () throws(EarshotError) in
            try file.lines(atMost: count).map { outcome($0, changes) }
        }
    }

    private static func outcome(
        _ line: LineFile.Line,
        _ changes: (Data) throws(EarshotError) -> [MusicChange]
    ) -> Outcome {
        guard let bytes = line.bytes else {
            let error = EarshotError(.metadataInvalid, "The line has more bytes than are allowed: leave it out.")
            return Outcome(number: line.number, last: line.last, result: .failure(error), content: nil)
        }
        do throws(EarshotError) {
            return Outcome(number: line.number, last: line.last, result: .success(try changes(bytes)), content: nil)
        } catch {
            return Outcome(number: line.number, last: line.last, result: .failure(error), content: bytes)
        }
    }

    private static func text(_ progress: Progress) -> String? {
        (try? JSONEncoder().encode(progress)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func progress(_ text: String) -> Progress? {
        try? JSONDecoder().decode(Progress.self, from: Data(text.utf8))
    }
}
