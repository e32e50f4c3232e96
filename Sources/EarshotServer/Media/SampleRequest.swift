import EarshotAPI
import EarshotCore
import EarshotMedia
import Foundation

/// A request for a range of samples of a file.
package struct SampleRequest: Sendable, Codable {
    /// The description of the samples, which precedes them.
    struct Head: Codable {
        let sampleRate: Int
        let channels: Int
        let format: String
    }

    /// The number of the first frame.
    var start: Int64
    /// The largest number of frames.
    var length: Int64
    /// The sample rate in hertz; `nil` for that of the file.
    var rate: Int?
    /// The number of channels; `nil` for that of the file.
    var channels: Int?
    /// The sample type: `int16` or `float32`; `nil` for the default.
    var format: String?

    /// The most bytes that are written: eight channels of 32 bits, and the head.
    var sizeLimit: Int { Int(clamping: length) * 32 + FileHead.limit }

    /// Writes a ``Head`` as ``FileHead`` has it, and the samples, the lowest byte first. Writes nothing if the file ends before.
    ///
    /// - Throws: Errors of opening and decoding, and of `write`.
    func run(on url: URL, write: (Data) throws -> Void) async throws {
        var options = AssetReader.Options()
        options.sampleRate = rate
        if let channels { options.channels = try ExportRequest.channels(channels) }
        if let type = format.flatMap({ AudioFormat.SampleType(rawValue: $0) }) { options.sampleType = type }
        let used: Int
        if let rate {
            used = rate
        } else {
            used = try await AssetReader(url, options: options).format.sampleRate
        }
        let scale = Int32(clamping: used)
        options.range =
            MediaTime(value: start, timescale: scale)..<MediaTime(value: start + length, timescale: scale)
        let reader = try await AssetReader(url, options: options)
        let format = reader.format
        var slice = SampleSlice(start: start, length: length, format: format)
        var isFirst = true
        for try await block in reader {
            if isFirst {
                let head = Head(
                    sampleRate: format.sampleRate,
                    channels: format.channelCount,
                    format: format.sampleType.rawValue
                )
                try write(FileHead.data(head))
            }
            isFirst = false
            slice.append(block)
            while let bytes = slice.next() { try write(Data(bytes)) }
            if slice.isComplete { break }
        }
        reader.cancel()
    }
}
