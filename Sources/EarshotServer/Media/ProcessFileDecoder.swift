package import EarshotCore
package import EarshotMedia
package import Foundation

/// Does each task in a process of its own, which has little time and memory and can open that one file only.
///
/// It is this program again, in the role of ``FileWorker``.
package struct ProcessFileDecoder: FileDecoder {
    private let executable: URL
    private let arguments: [String]
    private let time: Duration
    private let memory: Int

    /// A decoder.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``FileWorker/run(task:file:seconds:memory:size:)``.
    ///   - arguments: What makes it do so; `--seconds CPU --memory BYTES --size BYTES --task BASE64 --file PATH` is appended, the task as JSON.
    ///     The file is its standard input too.
    ///   - time: How long it may take to open a file, by the clock and of the processor; six times as long to decode all of it, and thirty
    ///     times to analyze it.
    ///   - memory: How many bytes of address space it may have.
    package init(
        executable: URL,
        arguments: [String],
        time: Duration = .seconds(20),
        memory: Int = 4 * UploadWorker.queryMemory
    ) {
        (self.executable, self.arguments) = (executable, arguments)
        (self.time, self.memory) = (time, memory)
    }

    /// Does something with a file, and gives the result.
    package func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
        try await output(task, file, to: nil, limit: 0)
    }

    /// The same with a result in a file.
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

    private func output(
        _ task: FileTask,
        _ file: URL,
        to output: FileHandle?,
        limit: Int
    ) async throws(EarshotError) -> Data {
        let told: Data
        do {
            told = try JSONEncoder().encode(task)
        } catch {
            throw EarshotError(.internalError, "What to do with the file could not be told.", cause: error)
        }
        // The process opens what this one has open, and no other file that has its name meanwhile.
        let input = try RawFile(reading: file.path)
        let seconds = (time * factor(task)).seconds
        let result = try await WorkerProcess.output(
            of: executable,
            arguments
                + ["--seconds", "\(Int(seconds.rounded(.up)))", "--memory", "\(memory)", "--size", "\(limit)"]
                + ["--task", told.base64EncodedString(), "--file", file.path],
            reading: FileHandle(fileDescriptor: input.descriptor, closeOnDealloc: false),
            writing: output,
            patience: seconds,
            subject: .file(file.path)
        )
        withExtendedLifetime(input) {}
        return result
    }

    private func factor(_ task: FileTask) -> Int {
        if case .analyses = task { return 30 }
        return task.isWhole ? 6 : 1
    }
}
