package import EarshotCore
import EarshotLibrary
import EarshotMedia
package import EarshotPieces
package import Foundation

/// Analyzes the audio of pieces and converts it to other formats.
///
/// The files are untrusted. Use ``ProcessStemConverter`` in services, and ``InProcessStemConverter`` in tests and trusted networks.
package protocol StemConverter: Sendable {
    /// The formats that the converter can write. Wave is always available.
    var formats: Set<StemFormat> { get }

    /// Converts audio to a file of another format, of the same length, without the padding of the encoder.
    ///
    /// - Parameters:
    ///   - input: The audio file, at its start; it stays open.
    ///   - format: The format of the new file.
    ///   - tags: The tags of the new file, as far as the format supports them.
    ///   - output: The file to create, in an empty folder.
    /// - Throws: `formatUnavailable` when there is no encoder for it, `assetUnreadable`, `noAudioStream`, `timedOut`, `cancelled`,
    ///   `writeFailed`.
    func convert(
        reading input: FileHandle,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError)

    /// Analyzes audio: its length in samples, the seam of its loop, its tempo and its key, as far as they can be
    /// determined.
    ///
    /// - Parameters:
    ///   - input: The audio file, at its start; it stays open.
    ///   - loop: The loop; `nil` if the piece is not a loop.
    /// - Throws: `assetUnreadable`, `noAudioStream`, `codecUnsupported`, `timedOut`, `cancelled`.
    func facts(reading input: FileHandle, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings
}

extension StemConverter {
    /// Returns `true` if a format can be produced.
    func makes(_ format: StemFormat) -> Bool { format == .wave || formats.contains(format) }
}

/// Converts audio in the process of the service.
package struct InProcessStemConverter: StemConverter {
    /// The formats that the converter can write, besides wave.
    package let formats: Set<StemFormat>

    /// Creates a converter.
    ///
    /// - Parameter formats: The formats to support besides wave.
    package init(formats: Set<StemFormat> = Set(StemFormat.allCases)) {
        self.formats = formats
    }

    /// Converts audio to a file of another format.
    package func convert(
        reading input: FileHandle,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError) {
        try await Self.convert(descriptor: input.fileDescriptor, to: format, tags: tags, output: output)
    }

    /// Returns the findings of an analysis of audio.
    package func facts(reading input: FileHandle, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings {
        try await Self.facts(descriptor: input.fileDescriptor, loop: loop)
    }

    static func convert(
        descriptor: Int32,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError) {
        let (type, encoding): (FileType, AudioEncoding) =
            switch format {
            case .wave: (.wav, .pcm(nil))
            case .oggVorbis: (.ogg, .vorbis(bitRate: nil))
            case .aacM4A: (.m4a, .aac(bitRate: nil))
            }
        do {
            // `AssetReader` opens its source once, which is needed because a descriptor cannot be opened again at its start.
            let reader = try await AssetReader(try address(descriptor))
            try await AssetWriter(to: output, as: type).write(reader, encoding: encoding)
            try await tags.write(to: output, as: format)
        } catch let error as EarshotError {
            throw told(error, descriptor)
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Converting the sound was canceled.")
        } catch {
            throw EarshotError(.internalError, "The sound could not be converted.", cause: error)
        }
    }

    static func facts(descriptor: Int32, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings {
        let begin = lseek(descriptor, 0, SEEK_CUR)
        do {
            return try await PieceListener().facts(of: try await AssetReader(try address(descriptor)), loop: loop)
        } catch let error as EarshotError {
            guard begin >= 0, [.audioFormatInvalid, .audioDiscontinuity].contains(error.code) else {
                throw told(error, descriptor)
            }
            // Audio that cannot be analyzed still has a length.
            lseek(descriptor, begin, SEEK_SET)
            return try await length(descriptor: descriptor)
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Measuring the sound was canceled.")
        } catch {
            throw EarshotError(.internalError, "The sound could not be measured.", cause: error)
        }
    }

    private static func length(descriptor: Int32) async throws(EarshotError) -> AudioFindings {
        do {
            let reader = try await AssetReader(try address(descriptor))
            var frames: Int64 = 0
            for try await block in reader { frames += Int64(block.buffer.frameCount) }
            let length = MediaTime(value: frames, timescale: Int32(reader.format.sampleRate))
            return AudioFindings(length: Microseconds(length) ?? 0)
        } catch let error as EarshotError {
            throw told(error, descriptor)
        } catch {
            throw EarshotError(.internalError, "The sound could not be measured.", cause: error)
        }
    }

    private static func address(_ descriptor: Int32) throws(EarshotError) -> URL {
        guard let url = URL(string: "pipe:\(descriptor)") else {
            throw EarshotError(.internalError, "The sound could not be opened.")
        }
        return url
    }

    /// Returns an error whose message does not contain the name of the pipe, which means nothing to the sender.
    private static func told(_ error: EarshotError, _ descriptor: Int32) -> EarshotError {
        let message = error.message.replacing("pipe:\(descriptor)", with: "The sound")
            .replacing("standard input", with: "the sound")
        return EarshotError(error.code, message, cause: error.cause)
    }
}
