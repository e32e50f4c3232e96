package import EarshotAPI
package import EarshotAnalysis
package import EarshotCore
package import EarshotMedia
package import Foundation

/// Does what needs a file of a media folder decoded, or its tags read.
///
/// Files may come from anybody who can put some into a folder. ``ProcessFileDecoder`` is for services; ``InProcessFileDecoder`` for tests.
package protocol FileDecoder: Sendable {
    /// Does something with a file, and gives the result.
    ///
    /// - Throws: Errors of opening and decoding; `timedOut`, `cancelled`.
    func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data

    /// The same with a result of so many bytes at most, in a file.
    ///
    /// - Throws: The same, and `writeFailed`.
    func run(_ task: FileTask, on file: URL, into output: RawFile, limit: Int) async throws(EarshotError)

    /// Makes another file of a file. A cancelled task ends it.
    ///
    /// - Parameters:
    ///   - export: The wanted result.
    ///   - file: The source.
    ///   - report: Is told how far it is, in order, on any thread.
    /// - Throws: Errors of exporting; `timedOut`, `cancelled`. The caller removes what is left in the folder of the
    ///   destination.
    func export(
        _ export: FileExport,
        of file: URL,
        report: @escaping @Sendable (ExportRecord.Progress) -> Void
    ) async throws(EarshotError) -> FileExport.Outcome
}

extension FileDecoder {
    /// Does something with a file of which the result is JSON.
    func value<Value: Decodable>(
        _ type: Value.Type,
        _ task: FileTask,
        of file: URL
    ) async throws(EarshotError) -> Value {
        let data = try await run(task, on: file)
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw EarshotError(.internalError, "The answer of a decoder could not be read.", cause: error)
        }
    }
}

/// Decodes in the process of the service.
package struct InProcessFileDecoder: FileDecoder {
    private let analyzers: [any AudioAnalyzer]

    /// A decoder.
    ///
    /// - Parameter analyzers: The analyzers that there are.
    package init(analyzers: [any AudioAnalyzer] = AudioAnalyzers.usual) {
        self.analyzers = analyzers
    }

    /// Does something with a file, and gives the result.
    package func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
        var result = Data()
        try await run(task, on: file) { result.append($0) }
        return result
    }

    /// The same with a result in a file.
    package func run(
        _ task: FileTask,
        on file: URL,
        into output: RawFile,
        limit: Int
    ) async throws(EarshotError) {
        var place = 0
        try await run(task, on: file) { data in
            guard data.count <= limit - place else {
                throw EarshotError(.writeFailed, "The result has more than \(limit) bytes: ask for a shorter part.")
            }
            try output.write([UInt8](data), at: place)
            place += data.count
        }
    }

    /// Makes another file of a file.
    package func export(
        _ export: FileExport,
        of file: URL,
        report: @escaping @Sendable (ExportRecord.Progress) -> Void
    ) async throws(EarshotError) -> FileExport.Outcome {
        try await Self.typed { try await export.run(on: file, report: report) }
    }

    private func run(
        _ task: FileTask,
        on file: URL,
        _ write: (Data) throws -> Void
    ) async throws(EarshotError) {
        try await Self.typed { try await task.run(on: file, analyzers: analyzers, write: write) }
    }

    private static func typed<Value: Sendable>(_ work: () async throws -> Value) async throws(EarshotError) -> Value {
        do {
            return try await work()
        } catch let error as EarshotError {
            throw error
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Reading the file was cancelled.")
        } catch {
            throw EarshotError(.internalError, "The file could not be read.", cause: error)
        }
    }
}

/// The analyzers of a service.
package enum AudioAnalyzers {
    /// Those that every service has.
    package static let usual: [any AudioAnalyzer] = [
        LoudnessAnalyzer(), RhythmAnalyzer(), KeyAnalyzer(), SilenceAnalyzer(), WaveformAnalyzer(),
    ]
}
