package import EarshotCore
package import EarshotPieces
package import Foundation

/// Converts each audio file in a separate process with limited time and memory, which can write one file of limited size.
///
/// It is this program again, in the role of ``UploadWorker``.
package struct ProcessStemConverter: StemConverter {
    /// The formats that the converter can write, besides wave.
    package let formats: Set<StemFormat>
    private let executable: URL
    private let arguments: [String]
    private let time: Duration
    private let memory: Int
    private let size: Int

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``UploadWorker/convert(to:tags:output:seconds:memory:size:)`` and
    ///     ``UploadWorker/listen(loop:seconds:memory:)``.
    ///   - arguments: Its arguments. Appended are `--seconds CPU --memory BYTES`, and `--listen`, for a loop with
    ///     `--loop START-END` in microseconds, or `--convert FORMAT --output PATH --size BYTES --tags BASE64`, the tags
    ///     as JSON.
    ///   - formats: The formats that it makes besides wave.
    ///   - time: The longest time that it may take, by the clock.
    ///   - memory: The most address space, in bytes.
    ///   - size: The largest size of a file, in bytes.
    package init(
        executable: URL,
        arguments: [String],
        formats: Set<StemFormat> = Set(StemFormat.allCases),
        time: Duration = .seconds(120),
        memory: Int = 2 << 30,
        size: Int = 2 << 30
    ) {
        self.executable = executable
        self.arguments = arguments
        self.formats = formats
        self.time = time
        self.memory = memory
        self.size = size
    }

    /// Converts audio to a file of another format.
    package func convert(
        reading input: FileHandle,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError) {
        let told: Data
        do {
            told = try JSONEncoder().encode(tags)
        } catch {
            throw EarshotError(
                .internalError,
                "The tags of the audio could not be encoded: please report this.",
                cause: error
            )
        }
        _ = try await run(
            ["--convert", format.rawValue, "--output", output.path, "--size", "\(size)"]
                + ["--tags", told.base64EncodedString()],
            reading: input
        )
    }

    /// Returns the findings of an analysis of audio.
    package func facts(reading input: FileHandle, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings {
        let part = loop.map { ["--loop", "\($0.start.count)-\($0.end.count)"] } ?? []
        let told = try await run(["--listen"] + part, reading: input)
        do {
            return try JSONDecoder().decode(AudioFindings.self, from: told)
        } catch {
            throw EarshotError(.internalError, "The audio could not be analyzed: please report this.", cause: error)
        }
    }

    private func run(_ role: [String], reading input: FileHandle) async throws(EarshotError) -> Data {
        try await WorkerProcess.output(
            of: executable,
            arguments + ["--seconds", "\(Int(time.seconds.rounded(.up)))", "--memory", "\(memory)"] + role,
            reading: input,
            patience: time.seconds
        )
    }
}
