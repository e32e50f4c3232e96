package import Earshot
package import Foundation

/// A recording named by a text, such as an argument of a command.
package enum Clip {
    /// The address of an argument: `-` is standard input, what has a scheme is an address, anything else a path.
    package static func url(_ argument: String) -> URL {
        if argument == "-" { return URL(string: "pipe:0") ?? URL(fileURLWithPath: "/dev/stdin") }
        if argument.contains("://") || argument.hasPrefix("pipe:"), let url = URL(string: argument) { return url }
        return URL(fileURLWithPath: argument)
    }

    /// Opens a recording in its own format, or, where that is beyond what can be analyzed, such as the rates of DSD, in
    /// 48 kHz stereo.
    package static func reader(_ url: URL, range: Range<MediaTime>? = nil) async throws(EarshotError) -> AssetReader {
        var options = AssetReader.Options()
        options.range = range
        let reader = try await AssetReader(url, options: options)
        let canUse =
            SignatureGenerator.sampleRates.contains(reader.format.sampleRate)
            && SignatureGenerator.channelCounts.contains(reader.format.channelCount)
        // A pipe cannot be opened twice.
        guard !canUse, url.scheme != "pipe" else { return reader }
        options.sampleRate = 48_000
        options.channels = .stereo
        return try await AssetReader(url, options: options)
    }

    /// The signature of a clip: read if it is one, made if it is audio.
    ///
    /// - Parameters:
    ///   - argument: The clip as it was named.
    ///   - range: The part wanted; all of it without one.
    ///   - extent: The part of the spectrogram that is kept: all of it for a search of the whole clip.
    ///   - onCut: Takes the error of a recording that ends early, which then counts as far as it goes; `nil` to throw it.
    package static func audio(
        _ argument: String,
        range: Range<MediaTime>? = nil,
        spectrogram extent: SignatureGenerator.SpectrogramExtent = .lastMinute,
        onCut: ((EarshotError) -> Void)? = nil
    ) async throws -> ClipAudio {
        let url = url(argument)
        if url.pathExtension.lowercased() == "earsig" { return ClipAudio(try Signature(contentsOf: url)) }
        return try await audio(url, range: range, spectrogram: extent, onCut: onCut)
    }

    /// The signature of audio.
    package static func audio(
        _ url: URL,
        range: Range<MediaTime>? = nil,
        spectrogram extent: SignatureGenerator.SpectrogramExtent = .lastMinute,
        onCut: ((EarshotError) -> Void)? = nil
    ) async throws -> ClipAudio {
        let reader = try await reader(url, range: range)
        var generator = SignatureGenerator(gaps: .fillWithSilence, spectrogram: extent)
        var isAudible = false
        do {
            for try await block in reader {
                if !isAudible { isAudible = ClipAudio.isAudible(block.buffer) }
                try generator.append(block.buffer, at: block.time)
            }
        } catch let error as EarshotError
            where error.code == .readFailed && onCut != nil && generator.duration > .zero
        {
            onCut?(error)
        }
        return ClipAudio(
            generator.signature(),
            isAudible: isAudible,
            durationMismatch: reader.progress.durationMismatch
        )
    }
}
