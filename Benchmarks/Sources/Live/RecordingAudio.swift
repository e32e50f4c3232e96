import BenchmarkSupport
import Earshot
import Foundation

/// A recording as the audio of a reference.
struct RecordingAudio: ReferenceAudio {
    let recording: Recording

    func samples(_ frames: Range<Int>, sampleRate: Int) -> [Float] {
        precondition(sampleRate == Recording.sampleRate, "sessions that are fed recordings ask for their rate")
        let inside = frames.clamped(to: 0..<recording.samples.count)
        guard !inside.isEmpty else { return [Float](repeating: 0, count: frames.count) }
        return [Float](repeating: 0, count: inside.lowerBound - frames.lowerBound) + recording.samples[inside]
            + [Float](repeating: 0, count: frames.upperBound - inside.upperBound)
    }
}
