import EarshotCore
public import Foundation

/// The conventions between clients and services: version, media types, header fields, JSON coding.
public enum ServiceAPI {
    /// The version of the API, which is the first component of every path.
    public static let version = "v1"
    /// The media type of a signature.
    public static let signatureType = "application/vnd.earshot.signature"
    /// The media type of a catalog.
    public static let catalogType = "application/vnd.earshot.catalog"
    /// The media type of a bundle.
    public static let bundleType = "application/vnd.earshot.bundle"
    /// The media type of the live feed of a channel.
    public static let liveFeedType = "application/vnd.earshot.live"
    /// The media type of interleaved little-endian samples. Header fields contain their sample rate, channels and
    /// sample type.
    public static let samplesType = "audio/vnd.earshot.samples"
    /// The media type of a waveform data file in the format of audiowaveform.
    public static let waveformType = "application/vnd.earshot.waveform"
    /// The query parameter by which a client offers to send the signature again with its spectrogram, if the service
    /// asks for it.
    public static let moreEvidence = "moreEvidence"
    /// The header field with the sample rate of samples, in hertz.
    public static let sampleRateField = "X-Sample-Rate"
    /// The header field with the number of channels of samples.
    public static let channelsField = "X-Channels"
    /// The header field with the sample type: `int16` or `float32`.
    public static let sampleFormatField = "X-Sample-Format"
    /// The largest number of frames in one request for samples.
    public static let samplesLimit = 1 << 23

    /// Returns an encoder for JSON in requests and responses: sorted keys, dates in ISO 8601 in UTC with milliseconds
    /// if they are not 0.
    public static func encoder() -> JSONEncoder { .sorted(date: DateText.text(of:)) }

    /// Returns a decoder for JSON in requests and responses, with dates in ISO 8601.
    public static func decoder() -> JSONDecoder {
        .dates(DateText.date(of:)) { _ in "This is no date by ISO 8601." }
    }

    /// Formats a date for requests and responses: `2026-01-31T20:15:00Z`, with milliseconds if they are not 0.
    public static func text(of date: Date) -> String { DateText.text(of: date) }

    /// Parses a date in ISO 8601 with its time zone; `nil` if the text is not one.
    public static func date(of text: String) -> Date? { DateText.date(of: text) }
}
