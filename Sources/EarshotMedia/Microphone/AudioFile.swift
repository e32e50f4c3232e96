public import EarshotCore
public import Foundation
import Synchronization

/// A receiver that writes the audio of a ``Microphone`` to a WAV file, which appears when it is complete.
public final class AudioFile: AudioReceiver {
    private struct State {
        var file: AtomicFile?
        var configuration: AudioConfiguration?
        var count = 0
        var failure: EarshotError?
    }

    /// The address of the file.
    public let url: URL
    private let replacing: Bool
    private let state: Mutex<State>
    /// A WAV file counts its bytes in 32 bits.
    private static let byteLimit = Int(UInt32.max) - 1_024

    /// Creates a writer. The file appears with ``finish()``; without that call no file is written.
    ///
    /// - Parameters:
    ///   - url: The address of the file.
    ///   - replacing: `true` to replace an existing file.
    /// - Throws: `writeFailed` if the folder is missing or may not be written; `destinationExists`.
    public init(_ url: URL, replacing: Bool = false) throws(EarshotError) {
        if !replacing, FileManager.default.fileExists(atPath: url.path) { throw AtomicFile.exists(url) }
        self.url = url
        self.replacing = replacing
        let file = try AtomicFile(url)
        try file.write([UInt8](repeating: 0, count: 44))
        state = Mutex(State(file: file))
    }

    /// Writes audio to the file. Audio in another format than the first, or beyond 4 GB, makes ``finish()`` throw.
    public func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        state.withLock { state in
            guard state.failure == nil, let file = state.file else { return }
            do throws(EarshotError) {
                guard configuration == state.configuration ?? configuration,
                    state.count + bytes.count <= Self.byteLimit
                else {
                    throw EarshotError(
                        .writeFailed,
                        "\(url.path) cannot hold more audio: it takes 4 GB of one kind; begin another file."
                    )
                }
                state.configuration = configuration
                // Samples of 8 bits have no sign in a WAV file.
                let data = configuration.format == .pcm8 ? Data(bytes.map { $0 ^ 0x80 }) : Data(bytes)
                try file.write(data)
                state.count += bytes.count
            } catch {
                state.failure = error
            }
        }
    }

    /// Completes the file and gives it its name. Audio that is received later is ignored.
    ///
    /// - Throws: `writeFailed` if a part could not be written, or no audio was received; `destinationExists`. No file
    ///   is left then.
    public func finish() throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            defer { state.file = nil }
            if let failure = state.failure { throw failure }
            guard let file = state.file, let configuration = state.configuration else {
                throw EarshotError(.writeFailed, "\(url.path) was not written: there was no audio, or it was finished.")
            }
            try file.overwrite(Self.header(configuration, count: state.count), at: 0)
            try file.commit(replacing: replacing)
        }
    }

    private static func header(_ configuration: AudioConfiguration, count: Int) -> [UInt8] {
        var header = ByteWriter()
        header.write(contentsOf: "RIFF".utf8)
        header.write(UInt32(clamping: 36 + count))
        header.write(contentsOf: "WAVEfmt ".utf8)
        header.write(UInt32(16))
        header.write(UInt16(configuration.format == .float32 ? 3 : 1))
        header.write(UInt16(clamping: configuration.channels))
        header.write(UInt32(clamping: configuration.sampleRate))
        header.write(UInt32(clamping: configuration.sampleRate * configuration.bytesPerFrame))
        header.write(UInt16(clamping: configuration.bytesPerFrame))
        header.write(UInt16(clamping: configuration.format.byteCount * 8))
        header.write(contentsOf: "data".utf8)
        header.write(UInt32(clamping: count))
        return header.bytes
    }
}
