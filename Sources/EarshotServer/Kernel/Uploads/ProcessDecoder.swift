package import EarshotCore
package import EarshotSignatures
package import Foundation

/// Decodes every upload in a process of its own, which has little time and memory and may write no file.
///
/// Whatever an upload makes of a decoder ends with that process. It is this program again, in the role of
/// ``UploadWorker``.
package struct ProcessDecoder: UploadDecoder {
    let executable: URL
    let arguments: [String]
    let time: Duration
    let memory: Int

    /// A decoder.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``UploadWorker/run(limit:seconds:memory:)``.
    ///   - arguments: What makes it do so; limits are appended as `--limit SECONDS --seconds CPU --memory BYTES`.
    ///   - time: How long it may take by the clock.
    ///   - memory: How many bytes of address space it may have.
    package init(executable: URL, arguments: [String], time: Duration = .seconds(20), memory: Int = 2 << 30) {
        self.executable = executable
        self.arguments = arguments
        self.time = time
        self.memory = memory
    }

    /// The signature of what an open file, or a pipe, holds.
    package func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
        // The whole of a reference takes longer than the begin of a query.
        var time = limit == nil ? time * 6 : time
        // What comes through a pipe is being recorded, and takes as long as it lasts.
        if lseek(input.fileDescriptor, 0, SEEK_CUR) < 0, errno == ESPIPE, let limit {
            time += .seconds(limit.seconds)
        }
        let output = try await WorkerProcess.output(
            of: executable,
            arguments + ["--seconds", "\(Int(time.seconds.rounded(.up)))", "--memory", "\(memory)"]
                + (limit.map { ["--limit", "\($0.seconds)"] } ?? []),
            reading: input,
            patience: time.seconds
        )
        return try Signature(data: output)
    }
}
