package import EarshotAPI
package import EarshotAnalysis
package import EarshotCore
package import EarshotMedia
package import Foundation

/// Runs tasks that decode a file of a media folder or read its tags.
///
/// The files are untrusted. Use ``ProcessFileDecoder`` in services, and ``InProcessFileDecoder`` in tests.
package protocol FileDecoder: Sendable {
    /// Runs a task on a file and returns the result as bytes.
    ///
    /// - Throws: Errors of opening and decoding; `timedOut`, `cancelled`.
    func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data

    /// Runs a task on a file and writes the result, of at most `limit` bytes, into another file.
    ///
    /// - Throws: The same, and `writeFailed`.
    func run(_ task: FileTask, on file: URL, into output: RawFile, limit: Int) async throws(EarshotError)

    /// Exports a file to another one. Canceling the task ends the export.
    ///
    /// - Parameters:
    ///   - export: The wanted result.
    ///   - file: The source.
    ///   - report: Called with the progress, in order, on any thread.
    /// - Throws: Errors of exporting; `timedOut`, `cancelled`. The caller removes what is left in the folder of the
    ///   destination.
    func export(
        _ export: FileExport,
        of file: URL,
        report: @escaping @Sendable (ExportRecord.Progress) -> Void
    ) async throws(EarshotError) -> FileExport.Outcome
}

extension FileDecoder {
    /// Runs a task on a file and decodes its JSON result.
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

/// Runs tasks in the process of the service.
package struct InProcessFileDecoder: FileDecoder {
    private let analyzers: [any AudioAnalyzer]

    /// Creates a decoder.
    ///
    /// - Parameter analyzers: The analyzers that tasks can use.
    package init(analyzers: [any AudioAnalyzer] = AudioAnalyzers.usual) {
        self.analyzers = analyzers
    }

    /// Runs a task on a file and returns the result as bytes.
    package func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
        var result = Data()
        try await run(task, on: file) { result.append($0) }
        return result
    }

    /// Runs a task on a file and writes the result into another file.
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

    /// Exports a file to another one.
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
            throw EarshotError(.cancelled, "Reading the file was canceled.")
        } catch {
            throw EarshotError(.internalError, "The file could not be read.", cause: error)
        }
    }
}

/// The built-in analyzers of a service.
package enum AudioAnalyzers {
    /// The analyzers that every service has.
    package static let usual: [any AudioAnalyzer] = [
        LoudnessAnalyzer(), RhythmAnalyzer(), KeyAnalyzer(), SilenceAnalyzer(), WaveformAnalyzer(),
    ]
}
