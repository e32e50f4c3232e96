import CommandKit
import Earshot
import Foundation

/// Finds where one recording lies on another: by landmarks first, then by correlation.
struct AlignmentSearch {
    /// The recording whose timeline holds, and the one that is laid on it.
    let reference: Asset
    let recording: Asset
    private let names: (reference: String, recording: String)

    /// The number of places that landmarks name and that are examined.
    private static let placeLimit = 4

    init(reference: String, recording: String) async throws {
        names = (reference, recording)
        self.reference = try await Self.open(reference)
        self.recording = try await Self.open(recording)
    }

    private static func open(_ name: String) async throws -> Asset {
        let asset = try await Asset.load(Clip.url(name))
        guard !asset.streams.isEmpty else {
            throw EarshotError(.noAudioStream, "\(name) has no sound: name a recording.")
        }
        return asset
    }

    /// The alignment; nothing when the recordings share nothing.
    func run() async throws -> RecordingAlignment? {
        let bar = ProgressBar(total: 400)
        defer { bar.finish() }
        var done = 0
        func show(_ share: Double, of part: Int) {
            while done < min(400, part * 100 + Int(share * 100)) {
                bar.step(audioSeconds: 0)
                done += 1
            }
        }
        let signatures = (
            reference: try await signature(reference, names.reference) { show($0, of: 0) },
            recording: try await signature(recording, names.recording) { show($0, of: 1) }
        )
        var catalog = Catalog()
        try catalog.add(signatures.reference, representing: [], id: ReferenceID(names.reference))
        var best: RecordingAlignment?
        for slice in Self.slices(of: signatures.recording) {
            let isWhole = slice.signature.duration == signatures.recording.duration
            let plays: [Play]
            do {
                plays = try catalog.plays(in: slice.signature) { if isWhole { show($0, of: 2) } }
            } catch {
                // A stretch of silence says nothing of the rest.
                if !isWhole, error.code == .signatureInvalid { continue }
                throw EarshotError(error.code, "\(names.recording): \(error.message)", cause: error.cause)
            }
            for play in plays.sorted(by: { $0.score > $1.score }).prefix(Self.placeLimit) {
                var sounds = (reference: AssetAudio(reference), recording: AssetAudio(recording))
                // From the time of the slice to that of the recording.
                let offset = play.offset.seconds - (1 + play.speedSkew) * slice.offset.seconds
                let found = try await RecordingAligner().align(
                    &sounds.recording,
                    lasting: signatures.recording.duration,
                    to: &sounds.reference,
                    lasting: signatures.reference.duration,
                    near: ReferenceAlignment(
                        offset: MediaTime(seconds: offset, preferredTimescale: 1_000_000_000),
                        speedSkew: play.speedSkew
                    ),
                    in: play.queryRange.lowerBound + slice.offset..<play.queryRange.upperBound + slice.offset
                ) { show($0, of: 3) }
                guard let found else { continue }
                if found.confidence > best?.confidence ?? 0 { best = found }
                if found.confidence > 0.5 { return best }
            }
        }
        return best
    }

    /// Of a long recording minutes of it first: what is shared for long is found in any of them. Then all of it.
    private static func slices(of signature: Signature) -> [Signature.Slice] {
        let whole = signature.slice(from: .zero, duration: .positiveInfinity)
        let minute = MediaTime(value: 60, timescale: 1)
        guard signature.duration.seconds > 600 else { return [whole] }
        let places = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875].map {
            MediaTime(seconds: $0 * signature.duration.seconds)
        }
        return places.map { signature.slice(from: $0, duration: minute) } + [whole]
    }

    private func signature(_ asset: Asset, _ name: String, progress: (Double) -> Void) async throws -> Signature {
        let reader = try await Clip.reader(asset.url)
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        var isAudible = false
        do {
            for try await block in reader {
                if !isAudible { isAudible = ClipAudio.isAudible(block.buffer) }
                try generator.append(block.buffer, at: block.time)
                progress(reader.progress.fraction ?? 0)
            }
        } catch let error as EarshotError where error.code == .readFailed && generator.duration > .zero {
            Terminal.printError("\(error.message) The part before that is aligned.")
        }
        let signature = generator.signature()
        guard !signature.isEmpty else {
            let reason = ClipAudio.reason(signature.duration, isAudible: isAudible)
            throw EarshotError(.signatureInvalid, "\(name) has nothing to align: \(reason). Check the recording.")
        }
        return signature
    }
}
