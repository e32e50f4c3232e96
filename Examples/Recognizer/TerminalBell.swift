import EarshotClient
import Foundation

/// The bell of a terminal, which sounds or flashes as its user has set it, at the end of a recording.
struct TerminalBell: RecordingFeedback {
    private let ring: @Sendable (String) -> Void

    /// - Parameter ring: Writes to the terminal.
    init(_ ring: @escaping @Sendable (String) -> Void) { self.ring = ring }

    /// The bell of a file handle; `nil` if that is no terminal, where the control character would be in the output.
    init?(_ handle: FileHandle = .standardOutput) {
        guard isatty(handle.fileDescriptor) == 1 else { return nil }
        self.init { handle.write(Data($0.utf8)) }
    }

    func recordingCompleted() { ring("\u{7}") }
}
