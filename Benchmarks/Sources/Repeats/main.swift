// Finds what repeats in recordings of channels, for scripts/checks/repeats.
//
//   repeats FOLDER CHANNEL=FILE…     raw mono 16-bit little-endian audio of 16 kHz; FOLDER - keeps all in memory
//
// Channels run side by side, half a minute at a time. Prints lines: `group ID COUNT LENGTH`, then `at CHANNEL BEGIN END` for
// each occurrence in seconds, and at the end `cpu SECONDS of analysis, SECONDS of finding` and `bytes N`.

import EarshotCore
import EarshotMusic
import EarshotSignatures
import EarshotStations
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: repeats FOLDER|- CHANNEL=FILE…\n".utf8))
    exit(2)
}

/// Processor time of this process, in seconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

let finder =
    arguments[0] == "-" ? RepeatFinder() : try RepeatFinder.open(URL(fileURLWithPath: arguments[0])).finder
let zero = Date(timeIntervalSince1970: 1_777_658_400)
var inputs: [(name: String, samples: [Int16], feeder: LiveFeeder)] = try arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    let data = try Data(contentsOf: URL(fileURLWithPath: parts.last ?? ""))
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    return (parts[0], samples, LiveFeeder(pieceDuration: MediaTime(value: 10, timescale: 1)))
}
let step = 30 * 16_000
var (analysis, finding) = (0.0, 0.0)
var place = 0
while inputs.contains(where: { place < $0.samples.count }) {
    for index in inputs.indices where place < inputs[index].samples.count {
        let begun = processorTime()
        let samples = inputs[index].samples[place..<min(inputs[index].samples.count, place + step)]
        let pieces = try inputs[index].feeder.append(
            AudioBuffer(Array(samples), sampleRate: 16_000),
            at: zero.addingTimeInterval(Double(place) / 16_000)
        )
        let middle = processorTime()
        for piece in pieces {
            try finder.append(channel: .init(inputs[index].name), signature: piece.signature, at: piece.start)
        }
        analysis += middle - begun
        finding += processorTime() - middle
    }
    place += step
}
for input in inputs { try finder.finish(channel: .init(input.name)) }
for audio in finder.repeats {
    print("group", audio.id, audio.count, audio.length.seconds)
    for occurrence in audio.occurrences {
        print(
            "at",
            occurrence.channel.rawValue,
            occurrence.start.timeIntervalSince(zero),
            occurrence.end.timeIntervalSince(zero)
        )
    }
}
print("cpu", analysis, finding)
print("bytes", finder.byteCount)
