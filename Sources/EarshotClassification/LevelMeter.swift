import EarshotCore
import Foundation

/// Level and silence, frame by frame of 10 ms, at the stream's own rate and over all of its channels.
struct LevelMeter: Sendable {
    /// Frames a second.
    static let frameRate = 100
    /// A frame below this level, in dBFS, is silent.
    static let silenceLevel = -60.0
    /// The lowest level that is given, in dBFS.
    static let floor = -120.0
    /// Frames of the share of silent frames: 10 s.
    private static let ratioFrames = 10 * frameRate
    /// So many frames with sound end silence; a click does not.
    private static let onset = 3

    private var power = 0.0
    private var frames = 0

    private var secondPower = 0.0
    private var silentPower = 0.0
    private var silentRun = 0
    private var soundPower = 0.0
    private var soundRun = 0
    private var isSilent = false

    private var history = [Bool](repeating: false, count: ratioFrames)
    private var silentCount = 0
    private var lastRatio: Double?

    /// Adds samples of the frame that is being filled.
    mutating func add(_ buffer: AudioBuffer, frames range: Range<Int>) {
        let part = range.lowerBound * buffer.channelCount..<range.upperBound * buffer.channelCount
        switch buffer.samples {
        case .int16(let samples):
            var sum: Int64 = 0
            for index in part {
                let sample = Int64(samples[index])
                sum += sample * sample
            }
            power += Double(sum) / (32_768 * 32_768) / Double(buffer.channelCount)
        case .float32(let samples):
            // One addition after the other: the sum must not depend on how the frame came in pieces.
            var sum = power * Double(buffer.channelCount)
            for index in part where samples[index].isFinite {
                let sample = Double(min(max(samples[index], -64), 64))
                sum += sample * sample
            }
            power = sum / Double(buffer.channelCount)
        }
    }

    /// Ends a frame.
    ///
    /// - Parameters:
    ///   - sampleCount: Samples of one channel in it.
    ///   - observe: Receives what the frame gives.
    mutating func endFrame(sampleCount: Int, _ observe: (AudioObservation.Content) -> Void) {
        let mean = power / Double(max(1, sampleCount))
        power = 0
        let silent = Self.level(mean) < Self.silenceLevel
        silence(silent, mean, observe)

        let place = frames % Self.ratioFrames
        if frames >= Self.ratioFrames, history[place] { silentCount -= 1 }
        history[place] = silent
        if silent { silentCount += 1 }
        frames += 1
        secondPower += mean
        guard frames.isMultiple(of: Self.frameRate) else { return }
        observe(.level(Self.level(secondPower / Double(Self.frameRate))))
        secondPower = 0
        guard frames >= Self.ratioFrames else { return }
        let ratio = Double(silentCount) / Double(Self.ratioFrames)
        if lastRatio.map({ abs($0 - ratio) >= 0.01 - 1e-9 }) ?? true {
            lastRatio = ratio
            observe(.silentRatio(ratio))
        }
    }

    private mutating func silence(
        _ silent: Bool,
        _ mean: Double,
        _ observe: (AudioObservation.Content) -> Void
    ) {
        if silent || isSilent {
            silentPower += mean
            silentRun += 1
        }
        if silent {
            soundPower = 0
            soundRun = 0
        } else if isSilent {
            soundPower += mean
            soundRun += 1
            if soundRun == Self.onset {
                isSilent = false
                observe(.audible(level: Self.level(soundPower / Double(Self.onset))))
                (silentPower, silentRun, soundPower, soundRun) = (0, 0, 0, 0)
            }
        } else {
            (silentPower, silentRun) = (0, 0)
        }
        if silentRun == Self.frameRate {
            observe(.silent(level: Self.level(silentPower / Double(Self.frameRate)), isEntry: !isSilent))
            isSilent = true
            (silentPower, silentRun) = (0, 0)
        }
    }

    /// A mean square in dBFS.
    static func level(_ meanSquare: Double) -> Double {
        meanSquare > 0 ? min(0, max(floor, 10 * log10(meanSquare))) : floor
    }
}
