import EarshotDSP
import Foundation

/// The spectral flux, 100 times a second: how strongly notes and beats begin.
///
/// The spectrum of 32 ms is gathered in bands as wide as the ear's, its levels are compressed by a logarithm, and what
/// rose since 20 ms ago is added up. A band is compared with the loudest of it and its two neighbours, so that a vibrato,
/// which moves from band to band, is no onset (S. Böck and G. Widmer, "Maximum filter vibrato suppression for onset
/// detection", DAFx 2013).
struct OnsetEnvelope: Sendable {
    /// Values a second.
    static let rate = 100.0
    /// Samples from one value to the next.
    static let hop = 160
    /// Samples of a frame: 32 ms.
    private static let frameSize = 512
    /// Bins of a frame, 31 Hz to 7 kHz: beyond, the resampler folds.
    private static let bins = 1..<225
    /// The first bin above what counts as low: kick drums and basses, up to 170 Hz.
    private static let lowEnd = 6
    /// Frames between which levels are compared.
    private static let lag = 2
    /// A level that is heard as nothing beside the loudest: 60 dB below.
    private static let floor: Float = 1e-6
    /// Below this power a frame is silence, whatever is around it: about -100 dB of full scale.
    private static let silence: Float = 1e-6
    /// The factor of the loudest level so far from one frame to the next: it halves in 14 s.
    private static let decay: Float = 0.9995

    /// The flux of all bands.
    private(set) var values: [Float] = []
    /// The flux of the bands below 170 Hz.
    private(set) var lows: [Float] = []

    private let bands: [Range<Int>]
    private let lowBands: Int
    // A frame of silence ahead: what sets in with the first sample is an onset too.
    private var spectrum = ShortTimeSpectrum(
        size: OnsetEnvelope.frameSize,
        hop: OnsetEnvelope.hop,
        bins: OnsetEnvelope.bins,
        lead: OnsetEnvelope.frameSize
    )
    /// Powers of the bands, the last frames one behind the other.
    private var history: [Float] = []
    private var loudest: Float = OnsetEnvelope.silence

    /// Creates an empty envelope.
    init() {
        var bands: [Range<Int>] = []
        var begin = Self.bins.lowerBound
        while begin < Self.bins.upperBound {
            let end = min(Self.bins.upperBound, begin + max(1, begin * 15 / 100))
            bands.append(begin..<end)
            begin = end
        }
        self.bands = bands
        lowBands = bands.count { $0.upperBound <= Self.lowEnd }
    }

    /// Takes mono samples at 16 kHz.
    mutating func append(_ samples: [Float]) {
        var fluxes = Fluxes(of: self)
        spectrum.append(samples) { fluxes.add($0) }
        take(fluxes)
    }

    /// Takes the frames that wait for a batch to fill. Nothing may be appended afterwards.
    mutating func finish() {
        var fluxes = Fluxes(of: self)
        spectrum.finish { fluxes.add($0) }
        take(fluxes)
    }

    private mutating func take(_ fluxes: Fluxes) {
        values += fluxes.values
        lows += fluxes.lows
        history = fluxes.history
        loudest = fluxes.loudest
    }

    /// The work on some frames, apart from the transform that hands them out.
    private struct Fluxes {
        private(set) var values: [Float] = []
        private(set) var lows: [Float] = []
        private(set) var history: [Float]
        private(set) var loudest: Float
        private let bands: [Range<Int>]
        private let lowBands: Int

        init(of envelope: OnsetEnvelope) {
            history = envelope.history
            loudest = envelope.loudest
            bands = envelope.bands
            lowBands = envelope.lowBands
        }

        mutating func add(_ powers: UnsafeBufferPointer<Float>) {
            let count = bands.count
            var frame = [Float](repeating: 0, count: count)
            for (index, band) in bands.enumerated() {
                var sum: Float = 0
                for bin in band { sum += powers[bin - OnsetEnvelope.bins.lowerBound] }
                frame[index] = sum
            }
            loudest = max(frame.max() ?? 0, loudest * OnsetEnvelope.decay, OnsetEnvelope.silence)
            let scale = 1 / (loudest * OnsetEnvelope.floor)
            func level(_ power: Float) -> Float { log2(1 + power * scale) }
            var (all, low): (Float, Float) = (0, 0)
            if history.count == OnsetEnvelope.lag * count {
                for band in 0..<count {
                    var before = history[band]
                    if band > 0 { before = max(before, history[band - 1]) }
                    if band + 1 < count { before = max(before, history[band + 1]) }
                    guard frame[band] > before else { continue }
                    let rise = level(frame[band]) - level(before)
                    all += rise
                    if band < lowBands { low += rise }
                }
                history.removeFirst(count)
            }
            history += frame
            values.append(all / Float(count))
            lows.append(low / Float(lowBands))
        }
    }
}
