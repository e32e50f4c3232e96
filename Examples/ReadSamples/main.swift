import Earshot
import Foundation

// Reads a file's samples, block by block, and says what was heard and how much memory that took.
guard let path = CommandLine.arguments.dropFirst().first else { exit(2) }
let reader = try await AssetReader(URL(fileURLWithPath: path))
var (frames, energy) = (0, 0.0)
for try await block in reader {
    guard case .float32(let samples) = block.buffer.samples else { continue }
    frames += block.buffer.frameCount
    energy += samples.reduce(0) { $0 + Double($1 * $1) } / Double(block.buffer.channelCount)
}
var usage = rusage()
#if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let peak = usage.ru_maxrss / 1024
#else
    getrusage(RUSAGE_SELF, &usage)
    let peak = usage.ru_maxrss / 1_048_576
#endif
let level = 10 * log10(max(energy / Double(max(frames, 1)), 1e-12))
print("\(frames) frames at \(reader.format.sampleRate) Hz, \(level.rounded()) dBFS, peak memory \(peak) MB")
