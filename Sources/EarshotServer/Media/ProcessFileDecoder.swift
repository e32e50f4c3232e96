package import EarshotAPI
package import EarshotCore
package import EarshotMedia
package import Foundation

/// Runs each task in a separate process with limited time and memory, which can open that one file only. An export can also write
/// in the folder of its destination.
///
/// It is this program again, in the role of ``FileWorker``.
package struct ProcessFileDecoder: FileDecoder {
    /// The longest duration of audio for which an export gets more time, in seconds.
    private static let longestSound = 86_400.0
    /// The longest time by the clock, as a multiple of the processor time. Workers yield to all other work, so on a busy machine they wait long,
    /// and a valid file must not fail for that.
    private static let waiting = 3.0

    private let executable: URL
    private let arguments: [String]
    private let time: Duration
    private let memory: Int

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``FileWorker/run(task:file:seconds:memory:size:)``.
    ///   - arguments: Its arguments. Appended are
    ///     `--seconds CPU --memory BYTES --size BYTES --task BASE64 --file PATH`, the task as JSON, and `--output PATH`
    ///     if a file is made. The file is its standard input too.
    ///   - time: The longest processor time to open a file; six times as long to decode all of it, and thirty times to
    ///     analyze or export it. An export of very long sound may take a quarter of its duration, of a day at most. By
    ///     the clock all of these may take three times as long.
    ///   - memory: The most address space, in bytes.
    package init(
        executable: URL,
        arguments: [String],
        time: Duration = .seconds(20),
        memory: Int = 4 * UploadWorker.queryMemory
    ) {
        (self.executable, self.arguments) = (executable, arguments)
        (self.time, self.memory) = (time, memory)
    }

    /// Runs a task on a file and returns the result as bytes.
    package func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
        try await output(task, file, to: nil, limit: 0)
    }

    /// Runs a task on a file and writes the result into another file.
    package func run(
        _ task: FileTask,
        on file: URL,
        into output: RawFile,
        limit: Int
    ) async throws(EarshotError) {
        let handle = FileHandle(fileDescriptor: output.descriptor, closeOnDealloc: false)
        _ = try await self.output(task, file, to: handle, limit: limit)
        withExtendedLifetime(output) {}
    }

    /// Exports a file to another one.
    package func export(
        _ export: FileExport,
        of file: URL,
        report: @escaping @Sendable (ExportRecord.Progress) -> Void
    ) async throws(EarshotError) -> FileExport.Outcome {
        let last = try await output(.export(export), file, to: nil, limit: export.sizeLimit) { line in
            if case .progress(let progress)? = Self.report(line) { report(progress) }
        }
        guard case .finished(let outcome)? = Self.report(last) else {
            throw EarshotError(.internalError, "The end of an export could not be read.")
        }
        return outcome
    }

    private static func report(_ line: Data) -> FileExport.Report? {
        try? JSONDecoder().decode(FileExport.Report.self, from: line)
    }

    private func output(
        _ task: FileTask,
        _ file: URL,
        to output: FileHandle?,
        limit: Int,
        lines: (@Sendable (Data) -> Void)? = nil
    ) async throws(EarshotError) -> Data {
        let told: Data
        do {
            told = try JSONEncoder().encode(task)
        } catch {
            throw EarshotError(
                .internalError,
                "The task of the decoder could not be encoded: please report this.",
                cause: error
            )
        }
        // Opened here and passed on as standard input, so that the process cannot read another file that gets the name meanwhile.
        let input = try RawFile(reading: file.path)
        let seconds = seconds(for: task)
        var made: [String] = []
        if case .export(let export) = task { made = ["--output", export.destination.path] }
        let result = try await WorkerProcess.output(
            of: executable,
            arguments
                + ["--seconds", "\(Int(seconds.rounded(.up)))", "--memory", "\(memory)", "--size", "\(limit)"]
                + ["--task", told.base64EncodedString(), "--file", file.path] + made,
            reading: FileHandle(fileDescriptor: input.descriptor, closeOnDealloc: false),
            writing: output,
            patience: Self.waiting * seconds,
            subject: .file(file.path),
            lines: lines
        )
        withExtendedLifetime(input) {}
        return result
    }

    /// Returns the longest time for a task, in seconds.
    func seconds(for task: FileTask) -> Double {
        switch task {
        case .analyses: (time * 30).seconds
        case .export(let export):
            // The duration that a file states may be wrong, so it is bounded.
            max((time * 30).seconds, min(export.duration ?? 0, Self.longestSound) / 4)
        default: (time * (task.isWhole ? 6 : 1)).seconds
        }
    }
}
