import ArgumentParser
import BenchmarkSupport
import Foundation

/// What is asked: from which music, how often, how long, under which noise.
struct Plan: ParsableArguments {
    @Option(
        help: "A CSV file with columns id, path and perhaps group, or a folder (files in one folder are one group)."
    )
    var music: String

    @Option(help: "Only rows of the list that have this value: column=value.")
    var only: String?

    @Option(help: "A folder of recordings of noise; without it only clean queries are made.")
    var noise: String?

    @Option(help: "Queries in all.")
    var count = 10_000

    @Option(help: "The number from which all that is drawn follows.")
    var seed: UInt64 = 1

    @Option(help: "Lengths of queries in seconds, separated by commas.")
    var lengths = "2,3,5,10"

    @Option(help: "How much louder than the noise the music is, in decibels, separated by commas.")
    var ratios = "10,5,0"

    @Option(help: "Threads.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .shortAndLong, help: "Write a line for each query to this CSV file.")
    var output: String?

    @Option(help: "Write the summary to this JSON file.")
    var json: String?

    /// A length with a level of noise; nothing for none.
    struct Cell: Hashable, Sendable, Comparable {
        var length: Double
        var ratio: Double?

        var noise: String { ratio.map { String(format: "%+.0f dB", $0) } ?? "clean" }

        static func < (left: Cell, right: Cell) -> Bool {
            (left.length, -(left.ratio ?? 1000)) < (right.length, -(right.ratio ?? 1000))
        }
    }

    /// Every length with every level of noise.
    func cells() throws -> [Cell] {
        let lengths = try Self.numbers(self.lengths)
        guard lengths.allSatisfy({ (1...15).contains($0) }) else { throw Failure("A query lasts 1 to 15 seconds.") }
        let ratios: [Double?] = [nil] + (noise == nil ? [] : try Self.numbers(self.ratios).map { $0 })
        return lengths.flatMap { length in ratios.map { Cell(length: length, ratio: $0) } }
    }

    private static func numbers(_ text: String) throws -> [Double] {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard !numbers.isEmpty else { throw Failure("\(text) is no list of numbers: separate them by commas.") }
        return numbers
    }
}
