import Foundation

/// The seam of a loop, where its end meets its beginning, and the jumps of level and wave there.
///
/// A jump counts only if the surrounding audio does not have such jumps itself. So noise may be as rough at the seam as
/// elsewhere. A hit at the beginning of a loop is no fault of the seam either, because it would sound the same after
/// silence.
public struct LoopSeam: Hashable, Sendable, Codable {
    /// The duration of audio on either side that is analyzed, in seconds.
    public static let context = 0.2
    /// The shortest sufficient duration of audio on either side, in seconds.
    public static let shortestContext = 0.02

    /// The sample rates that are supported, in hertz.
    public static let sampleRates = 8_000...384_000

    /// The level after the seam relative to that before it, in decibels, from −80 to 80.
    public let levelJump: Double
    /// The jump of the wave at the seam, in full scales.
    public let waveJump: Double
    /// `true` if the level does not jump at the seam.
    public let isLevelSmooth: Bool
    /// `true` if the wave does not jump at the seam.
    public let isWaveSmooth: Bool

    /// Analyzes the seam of one channel.
    ///
    /// - Parameters:
    ///   - before: The last samples of the loop, of which the last ``context`` is used.
    ///   - after: The first samples of the loop. Samples that are not finite count as silence.
    ///   - sampleRate: The sample rate, in hertz.
    /// - Returns: `nil` if there is less than ``shortestContext`` on either side, or if the sample rate is not in
    ///   ``sampleRates``.
    public init?(before: [Float], after: [Float], sampleRate: Int) {
        guard Self.sampleRates.contains(sampleRate) else { return nil }
        let most = Int(Self.context * Double(sampleRate))
        let least = max(2 * LinearPrediction.order, Int(Self.shortestContext * Double(sampleRate)))
        guard before.count >= least, after.count >= least else { return nil }
        func clean(_ samples: some Sequence<Float>) -> [Double] { samples.map { $0.isFinite ? Double($0) : 0 } }
        let sides = Sides(
            tail: clean(before.suffix(most)),
            head: clean(after.prefix(most)),
            sampleRate: Double(sampleRate)
        )
        levelJump = sides.levelJump
        isLevelSmooth = sides.isLevelSmooth
        let click = sides.click
        let offset = sides.offset
        waveJump = offset.isSmooth ? click.size : max(click.size, offset.size)
        isWaveSmooth = click.isSmooth && offset.isSmooth
    }

    /// Combines the worst values of several channels; `nil` without channels.
    public init?(_ channels: [LoopSeam]) {
        guard
            let level = channels.max(by: {
                Self.rank($0.isLevelSmooth, $0.levelJump) < Self.rank($1.isLevelSmooth, $1.levelJump)
            }),
            let wave = channels.max(by: {
                Self.rank($0.isWaveSmooth, $0.waveJump) < Self.rank($1.isWaveSmooth, $1.waveJump)
            })
        else { return nil }
        (levelJump, isLevelSmooth) = (level.levelJump, level.isLevelSmooth)
        (waveJump, isWaveSmooth) = (wave.waveJump, wave.isWaveSmooth)
    }

    private static func rank(_ isSmooth: Bool, _ jump: Double) -> Double { (isSmooth ? 0 : 1_000) + abs(jump) }

    /// `true` if neither level nor wave jumps.
    public var isSmooth: Bool { isLevelSmooth && isWaveSmooth }
}

/// The audio on both sides of a seam.
private struct Sides {
    /// The level below which audio counts as silence, −80 dB, as a ratio to full scale.
    private static let silence = 1e-4

    let tail: [Double]
    let head: [Double]
    let sampleRate: Double

    private func frames(_ seconds: Double) -> Int { max(1, Int(seconds * sampleRate)) }

    private static func mean(_ samples: ArraySlice<Double>) -> Double {
        samples.reduce(0, +) / Double(max(1, samples.count))
    }

    /// Returns the level without the constant offset, in full scales.
    private static func level(_ samples: ArraySlice<Double>) -> Double {
        let middle = mean(samples)
        let power = samples.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(max(1, samples.count))
        return max(silence, power.squareRoot())
    }

    private static func decibels(_ ratio: Double) -> Double { min(80, max(-80, 20 * log10(ratio))) }

    /// Returns consecutive runs of a length in seconds: those of the tail and of the head, each starting from the seam.
    private func runs(_ seconds: Double) -> (tail: [ArraySlice<Double>], head: [ArraySlice<Double>]) {
        let length = min(frames(seconds), tail.count, head.count)
        let back = (0..<tail.count / length).map { tail[tail.count - ($0 + 1) * length..<tail.count - $0 * length] }
        let forth = (0..<head.count / length).map { head[$0 * length..<($0 + 1) * length] }
        return (back, forth)
    }

    // MARK: - Level

    var levelJump: Double {
        let (back, forth) = runs(0.04)
        return Self.decibels(Self.level(forth[0]) / Self.level(back[0]))
    }

    var isLevelSmooth: Bool {
        // A loud sound is cut off: it ends with the loop, and nothing follows.
        let (shortBack, shortForth) = (runs(0.01).tail[0], runs(0.04).head[0])
        if Self.decibels(Self.level(shortForth) / Self.level(shortBack)) < -18 { return false }
        // The same sound at another level is a fault. Other sound may have any level: that is how music continues.
        guard isSameSound else { return true }
        let (back, forth) = runs(0.04)
        func changes(_ runs: [ArraySlice<Double>]) -> [Double] {
            zip(runs, runs.dropFirst()).map { abs(Self.decibels(Self.level($0) / Self.level($1))) }
        }
        let natural = (changes(back) + changes(forth)).max() ?? 0
        return abs(levelJump) <= max(3, 2.5 * natural)
    }

    /// `true` if the prediction for one side fits the other nearly as well as its own (F. Itakura, 1975). A note that
    /// sets in changes the sound, a step of level does not.
    private var isSameSound: Bool {
        guard !isOnset else { return false }
        let length = min(head.count, tail.count, frames(0.08))
        func centered(_ samples: ArraySlice<Double>) -> [Double] {
            let (middle, scale) = (Self.mean(samples), Self.level(samples))
            return samples.map { ($0 - middle) / scale }
        }
        let (before, after) = (centered(tail.suffix(length)), centered(head.prefix(length)))
        let range = LinearPrediction.order..<length
        func power(_ errors: [Double]) -> Double {
            // Errors 50 dB below the sound are inaudible.
            errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count) + 1e-5
        }
        let (beforeModel, afterModel) = (LinearPrediction(before), LinearPrediction(after))
        let ofHead = power(beforeModel.errors(of: after, in: range)) / power(afterModel.errors(of: after, in: range))
        let ofTail = power(afterModel.errors(of: before, in: range)) / power(beforeModel.errors(of: before, in: range))
        return max(ofHead, ofTail) < 1.6
    }

    /// `true` if the head rises out of near silence, as a hit or a note does.
    private var isOnset: Bool {
        let before = runs(0.01).tail[0].map { $0 * $0 }.reduce(0, +) / Double(runs(0.01).tail[0].count)
        return Self.level(runs(0.02).head[0]) > 10 * max(Self.silence, before.squareRoot())
    }

    // MARK: - Wave

    /// The error of prediction at the seam, compared with that of the surrounding audio.
    var click: (size: Double, isSmooth: Bool) {
        let length = frames(0.05)
        let before = Array(tail.suffix(length))
        let after = Array(head.prefix(length))
        let joined = before + after
        let seam = before.count
        let order = LinearPrediction.order
        // The prediction must not be fitted to a fault near the seam.
        let near = 8
        let prediction = LinearPrediction(before.dropLast(near))
        let errors = prediction.errors(of: joined, in: seam - near..<seam + near)
        guard !isOnset else { return (errors[near], true) }
        let natural = max(
            prediction.errors(of: before, in: order..<seam - near).max() ?? 0,
            LinearPrediction(after).errors(of: after, in: order..<after.count).max() ?? 0
        )
        let loudness = max(Self.level(before[...]), Self.level(after[...]))
        let limit = max(1.5 * natural, 0.1 * loudness, 0.000_5)
        // A step shows in the first sample, and a kink within some samples.
        let size = errors[near] > limit ? errors[near] : errors.max() ?? 0
        return (size, size <= limit)
    }

    /// The step of the constant offset at the seam, compared with the changes around it.
    var offset: (size: Double, isSmooth: Bool) {
        let (back, forth) = runs(0.02)
        let (before, after) = (back.map(Self.mean), forth.map(Self.mean))
        func changes(_ means: [Double]) -> [Double] { zip(means, means.dropFirst()).map { abs($0 - $1) } }
        let natural = (changes(before) + changes(after)).max() ?? 0
        let size = abs(Self.mean(after[...]) - Self.mean(before[...]))
        return (size, size <= max(0.02, 4 * natural))
    }
}
