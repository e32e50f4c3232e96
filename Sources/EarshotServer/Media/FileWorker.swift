package import Foundation

/// The role of a program that does a ``FileTask`` for ``ProcessFileDecoder``: the file is its standard input, and can be opened by its name; the
/// result goes out by standard output.
package enum FileWorker {
    /// Does something with a file.
    ///
    /// - Parameters:
    ///   - task: A ``FileTask`` as JSON.
    ///   - file: The path of the file.
    ///   - seconds: How many seconds of the processor's time it may take.
    ///   - memory: How many bytes of address space it may have.
    ///   - size: How many bytes the result may have where it goes to a file.
    /// - Returns: The status to exit with.
    package static func run(task: Data, file: String, seconds: Int, memory: Int, size: Int) async -> Int32 {
        UploadWorker.restrict(seconds: seconds, memory: memory, file: size)
        // A file that becomes too large is an error to tell, and not the end of the process.
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
