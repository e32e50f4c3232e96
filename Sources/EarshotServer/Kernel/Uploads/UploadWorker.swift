package import EarshotCore
package import EarshotPieces
import EarshotSignatures
package import Foundation

/// The role of a program that decodes one upload for ``ProcessDecoder``, or one audio file for ``ProcessStemConverter``. It reads media from
/// standard input, and writes a signature or findings to standard output.
package enum UploadWorker {
    /// The longest processor time for decoding the start of a recording. Usually it takes some milliseconds.
    static let queryTime = Duration.seconds(5)
    /// The largest address space of a process that decodes a query, in bytes: 512 MiB.
    package static let queryMemory = 1 << 29

    struct Complaint: Codable {
        let code: String
        let message: String
    }

    /// Decodes standard input and writes its signature to standard output.
    ///
    /// - Parameters:
    ///   - limit: The longest part to read, from the beginning; `nil` for all.
    ///   - seconds: The most processor time, in seconds.
    ///   - memory: The most address space, in bytes.
    /// - Returns: The status to exit with: 0, or 1 after the reason was written to standard error as JSON.
    package static func run(limit: MediaTime?, seconds: Int, memory: Int) async -> Int32 {
        restrict(seconds: seconds, memory: memory, file: 0)
        return await answer { try await InProcessDecoder.signature(descriptor: 0, limit: limit).dataWithSpectrogram }
    }

    /// Analyzes the audio of standard input and writes the findings to standard output.
    ///
    /// - Parameters:
    ///   - loop: The loop; `nil` if the piece is not a loop.
    ///   - seconds: The most processor time, in seconds.
    ///   - memory: The most address space, in bytes.
    /// - Returns: The status to exit with.
    package static func listen(loop: LoopMarkers?, seconds: Int, memory: Int) async -> Int32 {
        restrict(seconds: seconds, memory: memory, file: 0)
        return await answer {
            try JSONEncoder().encode(try await InProcessStemConverter.facts(descriptor: 0, loop: loop))
        }
    }

    /// Converts the audio of standard input to a file.
    ///
    /// - Parameters:
    ///   - format: The format of the new file.
    ///   - tags: The tags of the new file: ``AudioTags`` as JSON.
    ///   - output: The path of the file to create.
    ///   - seconds: The most processor time, in seconds.
    ///   - memory: The most address space, in bytes.
    ///   - size: The largest size of a file, in bytes.
    /// - Returns: The status to exit with.
    package static func convert(
        to format: StemFormat,
        tags: Data,
        output: URL,
        seconds: Int,
        memory: Int,
        size: Int
    ) async -> Int32 {
        restrict(seconds: seconds, memory: memory, file: size)
        return await answer {
            let tags = try JSONDecoder().decode(AudioTags.self, from: tags)
            try await InProcessStemConverter.convert(descriptor: 0, to: format, tags: tags, output: output)
            return Data()
        }
    }

    /// Writes the result of work to standard output, or its error as JSON to standard error.
    ///
    /// - Returns: The status to exit with.
    static func answer(_ work: () async throws -> Data) async -> Int32 {
        do {
            try FileHandle.standardOutput.write(contentsOf: await work())
            return 0
        } catch {
            let error =
                error as? EarshotError ?? EarshotError(.internalError, "The upload could not be decoded.", cause: error)
            let complaint = Complaint(code: error.code.rawValue, message: error.message)
            try? FileHandle.standardOutput.close()
            try? FileHandle.standardError.write(contentsOf: JSONEncoder().encode(complaint))
            return 1
        }
    }

    /// Limits the resources of this process. A system that cannot limit one leaves it as it is; the parent's time limit and kill work
    /// everywhere.
    ///
    /// - Parameters:
    ///   - seconds: The most processor time, in seconds.
    ///   - memory: The most address space, in bytes.
    ///   - file: The largest file that may be written, in bytes.
    static func restrict(seconds: Int, memory: Int, file: Int) {
        #if os(Linux)
            func limit(_ resource: __rlimit_resource, _ value: Int) {
                var limit = rlimit(rlim_cur: rlim_t(max(0, value)), rlim_max: rlim_t(max(0, value)))
                setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
            }
        #else
            func limit(_ resource: Int32, _ value: Int) {
                var limit = rlimit(rlim_cur: rlim_t(max(0, value)), rlim_max: rlim_t(max(0, value)))
                setrlimit(resource, &limit)
            }
        #endif
        limit(RLIMIT_CPU, seconds)
        limit(RLIMIT_AS, memory)
        limit(RLIMIT_FSIZE, file)
        limit(RLIMIT_CORE, 0)
        limit(RLIMIT_NOFILE, 32)
    }
}
