import EarshotAnalysis
public import EarshotCore
import EarshotMedia
public import EarshotPieces
public import Foundation

/// Analyzes the audio of a piece once, to compare it with the draft: duration, loop seam, tempo and key.
///
/// ```swift
/// let facts = try await PieceListener().facts(of: file, loop: draft.loop)
/// for warning in AudioCheck().warnings(draft, heard: facts) { print(warning) }
/// ```
///
/// A loop of a few seconds is too short to tell a tempo of. In a piece that is short itself it is heard again and again, as a listener
/// would, until it is long enough.
public struct PieceListener: Sendable {
    /// The duration of audio that an analysis needs, in seconds. Shorter pieces are analyzed repeatedly up to this duration.
    public static let enough = 24.0

    /// Creates a listener.
    public init() {}

    /// Analyzes a file or an address to its end.
    ///
    /// - Parameters:
    ///   - url: The audio.
    ///   - loop: The loop, if the piece has one.
    /// - Throws: The errors of `AssetReader`, `audioFormatInvalid` for audio that cannot be analyzed,
    ///   `audioDiscontinuity` for gaps of more than ten minutes.
    public func facts(of url: URL, loop: LoopMarkers? = nil) async throws(EarshotError) -> AudioFindings {
        let reader = try await AssetReader(url)
        do {
            return try await facts(of: reader, loop: loop)
        } catch {
            if let error = error as? EarshotError { throw error }
            throw EarshotError(.readFailed, "Reading \(url.lastPathComponent) failed: get it again.", cause: error)
        }
    }

    /// Analyzes a source to its end.
    ///
    /// - Parameters:
    ///   - source: The audio, from the beginning of the piece.
    ///   - loop: The loop, if the piece has one.
    /// - Throws: The source's errors, and `audioFormatInvalid` and `audioDiscontinuity` as for a file.
    public func facts(of source: some AudioSource, loop: LoopMarkers? = nil) async throws -> AudioFindings {
        var hearing = PieceMeasurement(loop)
        for try await block in source { try hearing.append(block) }
        let heard = hearing
        return try await BlockingWork.run { () throws(EarshotError) in try heard.facts() }
    }
}

/// The measurement of the audio heard so far.
private struct PieceMeasurement: Sendable {
    private var rhythm = RhythmTracker()
    private var key = KeyEstimator()
    private var capture: LoopCapture?
    private var start: MediaTime?
    private var end: MediaTime = .zero

    init(_ loop: LoopMarkers?) {
        capture = loop.map { LoopCapture($0) }
    }

    mutating func append(_ block: AudioBlock) throws(EarshotError) {
        try rhythm.append(block)
        try key.append(block)
        let isContinuous = start == nil || abs((block.time - end).seconds) < 0.001
        capture?.append(block.buffer, isContinuous: isContinuous)
        start = start ?? block.time
        end = block.endTime
    }

    func facts() throws(EarshotError) -> AudioFindings {
        var (rhythm, key) = (rhythm, key)
        let length = end - (start ?? .zero)
        if length.seconds < PieceListener.enough, let loop = capture?.sound {
            (rhythm, key) = (RhythmTracker(), KeyEstimator())
            while rhythm.duration.seconds < PieceListener.enough {
                try rhythm.append(loop)
                try key.append(loop)
            }
        }
        let tempo = rhythm.result().tempo.map {
            AudioFindings.DetectedTempo(
                beatsPerMinute: $0.beatsPerMinute,
                confidence: $0.confidence,
                alternative: $0.alternative
            )
        }
        let heard = key.result().flatMap { key in
            PitchClass(rawValue: key.tonic).map { root in
                AudioFindings.DetectedKey(key.mode == .major ? .major(root) : .minor(root), confidence: key.confidence)
            }
        }
        return AudioFindings(
            length: Microseconds(length) ?? 0,
            seam: capture?.seam,
            tempo: tempo,
            key: heard
        )
    }
}
