import EarshotCore
import Foundation

/// Reads one connection to a stream.
final class StreamInput: CaptureInput {
    private let decoder: AudioDecoder

    init(_ url: URL, options: AssetReader.Options, cancellation: Cancellation) throws(EarshotError) {
        decoder = try AudioDecoder(url, options: options, isLive: !url.isFileURL, cancellation: cancellation)
    }

    var format: AudioFormat { decoder.format }

    /// A stream that says how long it lasts is a recording, and over when it is.
    var isWhole: Bool { decoder.assetDuration.isNumeric }

    func next() throws(EarshotError) -> AudioBlock? { try decoder.next() }
}
