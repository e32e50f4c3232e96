package import EarshotCore
package import EarshotSignatures
package import Foundation

/// Decodes each upload in a separate process with limited time and memory, which can write no file.
///
/// A malicious upload can harm that process only. The process is this program again, in the role of
/// ``UploadWorker``.
package struct ProcessDecoder: UploadDecoder {
    let executable: URL
    let arguments: [String]
    let time: Duration
    let memory: Int

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``UploadWorker/run(limit:seconds:memory:)``.
    ///   - arguments: Its arguments; limits are appended as `--limit SECONDS --seconds CPU --memory BYTES`.
    ///   - time: The longest time that it may take, by the clock.
    ///   - memory: The most address space, in bytes; ``UploadWorker/queryMemory`` unless stated, and four times as much
    ///     for the whole of a reference.
    package init(
        executable: URL,
        arguments: [String],
        time: Duration = .seconds(20),
        memory: Int = UploadWorker.queryMemory
    ) {
        self.executable = executable
        self.arguments = arguments
        self.time = time
        self.memory = memory
    }

    /// Returns the signature of the media in an open file or a pipe.
    package func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
        // A reference is decoded as a whole, a query only at its beginning.
        let isWhole = limit == nil
        var time = isWhole ? time * 6 : time
        let processor = isWhole ? time : min(time, UploadWorker.queryTime)
        // A pipe means that the audio is being recorded, so its duration is added.
        if lseek(input.fileDescriptor, 0, SEEK_CUR) < 0, errno == ESPIPE, let limit {
            time += .seconds(limit.seconds)
        }
        let output = try await WorkerProcess.output(
            of: executable,
            arguments + ["--seconds", "\(Int(processor.seconds.rounded(.up)))"]
                + ["--memory", "\(isWhole ? 4 * memory : memory)"]
                + (limit.map { ["--limit", "\($0.seconds)"] } ?? []),
            reading: input,
            patience: time.seconds
        )
        return try Signature(data: output)
    }
}
