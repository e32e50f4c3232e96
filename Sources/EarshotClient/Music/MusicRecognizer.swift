public import EarshotCore
public import EarshotMusic
public import EarshotRecognition
import EarshotSignatures
public import Foundation
import Synchronization

/// Finds music by audio or text that an app provides itself, without a monitor.
///
/// ```swift
/// let music = try MusicRecognizer(service, registration: registration)
/// try music.begin(sampleRate: 44_100, bytesPerSample: 2, channelCount: 1)
/// try music.write(bytes)                       // once for each chunk of audio
/// let tracks = try await music.tracks(of: try music.end())
/// ```
///
/// Each query has an asynchronous form and a blocking one. One recording is made at a time; queries may be made from
/// any thread or task.
public final class MusicRecognizer: Sendable {
    /// The format of what is written.
    private struct Format {
        let sampleRate: Int
        let bytesPerSample: Int
        let channelCount: Int
    }

    private struct Recording {
        let format: Format
        let kind: RecognitionQuery.Kind
        var generator = SignatureGenerator()
        /// Bytes of a frame that is not complete.
        var rest = Data()
    }

    /// The content and language of results.
    public let preferences: ContentPreferences
    private let service: any RecognitionService
    private let recording = Mutex<Recording?>(nil)

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - service: A recognition service: over HTTP, or in this process.
    ///   - registration: The registration that queries are made with; `Registration.local` for a service in this
    ///     process.
    ///   - preferences: The content and language of results.
    /// - Throws: `registrationMismatch` for a registration that does not cover music queries.
    public init(
        _ service: any RecognitionService,
        registration: Registration,
        preferences: ContentPreferences = ContentPreferences()
    ) throws(EarshotError) {
        try registration.check(.music)
        self.service = service
        self.preferences = preferences
    }

    // MARK: - Audio

    /// Starts a recording. A recording that was not ended is discarded.
    ///
    /// - Parameters:
    ///   - kind: The position in a track at which the recording may begin: anywhere, or with the track.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - bytesPerSample: 1 (unsigned), 2 (signed) or 4 (floating point).
    ///   - channelCount: The number of channels.
    /// - Throws: `audioFormatInvalid` for a number of bytes, channels or frames a second that is not supported.
    public func begin(
        _ kind: RecognitionQuery.Kind = .stream,
        sampleRate: Int = 44_100,
        bytesPerSample: Int = 2,
        channelCount: Int = 1
    ) throws(EarshotError) {
        // The buffer knows which formats there are.
        _ = try PCMBuffer(
            Data(),
            bytesPerSample: bytesPerSample,
            channelCount: channelCount,
            sampleRate: sampleRate
        )
        let format = Format(sampleRate: sampleRate, bytesPerSample: bytesPerSample, channelCount: channelCount)
        recording.withLock { $0 = Recording(format: format, kind: kind) }
    }

    /// Appends bytes of interleaved samples in little-endian order to the recording. Chunks may end within a frame.
    ///
    /// - Throws: `notStarted` before ``begin(_:sampleRate:bytesPerSample:channelCount:)``; `audioFormatInvalid`.
    public func write(_ bytes: Data) throws(EarshotError) {
        try change { recording throws(EarshotError) in
            recording.rest.append(bytes)
            let format = recording.format
            let frame = format.bytesPerSample * format.channelCount
            let count = recording.rest.count / frame * frame
            guard count > 0 else { return }
            let whole = Data(recording.rest.prefix(count))
            recording.rest = Data(recording.rest.dropFirst(count))
            let samples = try PCMBuffer(
                whole,
                bytesPerSample: format.bytesPerSample,
                channelCount: format.channelCount,
                sampleRate: format.sampleRate
            )
            try recording.generator.append(samples.buffer(samples.duration))
        }
    }

    /// Appends a buffer from an audio source to the recording.
    ///
    /// - Throws: `notStarted` before ``begin(_:sampleRate:bytesPerSample:channelCount:)``; `audioFormatInvalid` if its
    ///   sample rate or channel count differs from the declared one.
    public func write(_ buffer: AudioBuffer) throws(EarshotError) {
        try change { recording throws(EarshotError) in
            let format = recording.format
            guard buffer.sampleRate == format.sampleRate, buffer.channelCount == format.channelCount else {
                throw EarshotError(
                    .audioFormatInvalid,
                    "The source gives \(buffer.sampleRate) Hz with \(buffer.channelCount) channels, and \(format.sampleRate) Hz with \(format.channelCount) were declared: begin with the format of the source."
                )
            }
            try recording.generator.append(buffer)
        }
    }

    /// Ends the recording and returns its fingerprint.
    ///
    /// - Throws: `notStarted` if no recording was started; `signatureInvalid` if all audio was silent.
    public func end() throws(EarshotError) -> Fingerprint {
        guard
            let ended = recording.withLock({ recording in
                defer { recording = nil }
                return recording
            })
        else { throw Self.notStarted }
        let signature = ended.generator.signature()
        guard !signature.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The recorded audio is silent or has no tones that stand out, so it has no fingerprint: check the source."
            )
        }
        return Fingerprint(signature, kind: ended.kind)
    }

    private static var notStarted: EarshotError {
        EarshotError(.notStarted, "No recording was begun: call begin with the format of the audio first.")
    }

    private func change(
        _ body: (inout Recording) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        try recording.withLock { recording throws(EarshotError) in
            guard var open = recording else { throw Self.notStarted }
            defer { recording = open }
            try body(&open)
        }
    }

    // MARK: - Queries

    /// Returns the tracks that match a fingerprint, best first.
    ///
    /// - Throws: The service's errors.
    public func tracks(of fingerprint: Fingerprint) async throws(EarshotError) -> [TrackResult] {
        try await matches(fingerprint).compactMap { TrackResult($0) }
    }

    /// Returns the albums that contain the tracks that match a fingerprint, best first.
    ///
    /// - Throws: The service's errors.
    public func albums(of fingerprint: Fingerprint) async throws(EarshotError) -> [AlbumResult] {
        AlbumResult.albums(try await matches(fingerprint))
    }

    /// Returns the tracks that match a text query, best first.
    ///
    /// - Throws: The service's errors.
    public func tracks(_ query: MusicQuery) async throws(EarshotError) -> [TrackResult] {
        try await service.search(query, preferences).compactMap { TrackResult($0) }
    }

    /// Returns the albums that match a text query, and those of matching tracks, best first.
    ///
    /// - Throws: The service's errors.
    public func albums(_ query: MusicQuery) async throws(EarshotError) -> [AlbumResult] {
        AlbumResult.albums(try await service.search(query, preferences))
    }

    /// Returns the artists that match a text query, and those of matching tracks and albums, each once, best first.
    ///
    /// - Throws: The service's errors.
    public func artists(_ query: MusicQuery) async throws(EarshotError) -> [ArtistResult] {
        var known: Set<String> = []
        return try await service.search(query, preferences).compactMap { ArtistResult($0) }
            .filter { known.insert($0.id?.rawValue ?? "\u{0}\($0.name)").inserted }
    }

    /// Returns the tracks whose lyrics match a query, best first.
    ///
    /// - Throws: The service's errors.
    public func tracks(_ query: LyricQuery) async throws(EarshotError) -> [TrackResult] {
        try await service.search(query, preferences).compactMap { TrackResult($0) }
    }

    private func matches(_ fingerprint: Fingerprint) async throws(EarshotError) -> [MusicMatch] {
        try await service.recognize(
            RecognitionQuery(fingerprint.signature, kind: fingerprint.kind),
            preferences
        )
    }
}
