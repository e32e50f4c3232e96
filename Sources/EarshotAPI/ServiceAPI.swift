import EarshotCore
public import Foundation

/// The conventions between clients and services: paths, media types, JSON coding.
public enum ServiceAPI {
    /// The version, the first part of every path.
    public static let version = "v1"
    /// The type of a signature's bytes.
    public static let signatureType = "application/vnd.earshot.signature"
    /// The type of a catalog's bytes.
    public static let catalogType = "application/vnd.earshot.catalog"
    /// The type of a bundle's bytes.
    public static let bundleType = "application/vnd.earshot.bundle"
    /// The type of the bytes of a channel's live feed.
    public static let liveFeedType = "application/vnd.earshot.live"
    /// The type of interleaved samples, the lowest byte first; header fields say of which rate, channels and format.
    public static let samplesType = "audio/vnd.earshot.samples"
    /// The type of a waveform's data file, as audiowaveform writes it.
    public static let waveformType = "application/vnd.earshot.waveform"
    /// The parameter of a recognition by which the sender says that it can send the signature once more, with its spectrogram.
    public static let moreEvidence = "moreEvidence"
    /// The header field that says how many frames a second samples have.
    public static let sampleRateField = "X-Sample-Rate"
    /// The header field that says how many channels samples have.
    public static let channelsField = "X-Channels"
    /// The header field that says how a sample is kept: `int16` or `float32`.
    public static let sampleFormatField = "X-Sample-Format"
    /// The most frames of one request for samples.
    public static let samplesLimit = 1 << 23

    /// Writes JSON as it goes over the wire: keys in order, times by ISO 8601 in UTC, with milliseconds where there are any.
    public static func encoder() -> JSONEncoder { .sorted(date: DateText.text(of:)) }

    /// Reads JSON as it comes over the wire.
    public static func decoder() -> JSONDecoder {
        .dates(DateText.date(of:)) { _ in "This is no date by ISO 8601." }
    }

    /// A date as it goes over the wire: `2026-01-31T20:15:00Z`, with milliseconds where there are any.
    public static func text(of date: Date) -> String { DateText.text(of: date) }

    /// Parses a date in ISO 8601 with its zone; `nil` if the text is not one.
    public static func date(of text: String) -> Date? { DateText.date(of: text) }
}
