import EarshotCore
import EarshotFingerprints
import EarshotMedia
import Foundation

/// `earshot-fpcalc`: makes fingerprints of files, with the options, the output and the exit codes of Chromaprint's `fpcalc`, so
/// that programs which run that tool can run this one.
@main
enum FingerprintCommand {
    static func main() {
        let arguments = CommandLine.arguments
        do {
            switch try CommandOptions.parse(arguments.dropFirst().map(\.self)) {
            case .help: write(CommandOptions.help(name: arguments.first ?? "earshot-fpcalc"))
            case .version:
                write("fpcalc version \(FingerprintStream.libraryVersion) (FFmpeg \(FFmpegLibraries.description))\n")
            case .run(let options):
                for path in options.paths { try FileRun(options).run(path) }
            }
        } catch {
            if let message = error.message { FileHandle.standardError.write(Data("ERROR: \(message)\n".utf8)) }
            exit(error.status)
        }
    }

    /// Writes to standard output at once: whoever listens to an endless stream wants each result when it is there.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

/// An end of the command with another status than 0.
struct CommandFailure: Error {
    /// 2 when there is no result, 3 when there is one in spite of damage.
    let status: Int32
    /// The message on standard error, behind `ERROR: `; `nil` if it was written before.
    let message: String?

    init(_ message: String?, status: Int32 = 2) {
        self.message = message
        self.status = status
    }
}
