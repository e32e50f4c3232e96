package import Foundation

/// The role of a program that runs a ``FileTask`` for ``ProcessFileDecoder``. The file is its standard input, and can be opened by its name;
/// the result is written to standard output.
package enum FileWorker {
    /// Runs a task on a file and writes the result to standard output.
    ///
    /// - Parameters:
    ///   - task: A ``FileTask`` as JSON.
    ///   - file: The path of the file.
    ///   - seconds: The most processor time, in seconds.
    ///   - memory: The most address space, in bytes.
    ///   - size: The largest result in a file, in bytes.
    /// - Returns: The status to exit with.
    package static func run(task: Data, file: String, seconds: Int, memory: Int, size: Int) async -> Int32 {
        UploadWorker.restrict(seconds: seconds, memory: memory, file: size)
        // Without this, a file that exceeds the limit would kill the process. Now the write fails, and the error is reported.
        signal(SIGXFSZ, SIG_IGN)
        return await UploadWorker.answer {
            let task = try JSONDecoder().decode(FileTask.self, from: task)
            let url = URL(fileURLWithPath: file, isDirectory: false)
            try await task.run(on: url, analyzers: AudioAnalyzers.usual) { data in
                try FileHandle.standardOutput.write(contentsOf: data)
            }
            return Data()
        }
    }
}
