import ArgumentParser
import CommandKit
import EarshotCore
import EarshotPieces
import Foundation

/// The description of a piece on the command line, which wins over a package and the names of files.
struct PieceOptions: ParsableArguments {
    @Option(name: .long, help: "The title; the name of the file unless stated.")
    var title: String?

    @Option(name: .long, help: "What its author says of it.")
    var description: String?

    @Option(name: .long, help: "Beats a minute, from 1 to 999.999, where the piece keeps its tempo.")
    var tempo: Double?

    @Option(name: .long, help: "What is repeated, from one time to another: 0-8, 1:02.5-1:10, or all.")
    var loop: LoopArgument?

    @Option(name: .long, help: "The time signature, such as 4/4 or 7/8.")
    var meter: MeterArgument?

    @Option(name: .long, help: "The key, such as \"A minor\" or atonal.")
    var key: KeyArgument?

    @Option(name: .long, parsing: .upToNextOption, help: "The pieces that it is based on, by their identifiers.")
    var basedOn: [String] = []

    @Option(name: .long, help: "Sound for people who look for pieces.", completion: .file())
    var preview: String?

    @Option(name: .long, help: "A picture; it is cropped and scaled to 640 x 640 pixels.", completion: .file())
    var cover: String?

    @Option(name: .long, help: "A file that travels along, of at most 30 MB.", completion: .file())
    var attach: String?

    @Option(name: .long, help: "A stem besides the mix, as NAME=FILE. May be given more than once.")
    var stem: [StemArgument] = []

    /// Says that nothing was given.
    var isEmpty: Bool {
        title == nil && description == nil && tempo == nil && loop == nil && meter == nil && key == nil
            && basedOn.isEmpty
            && preview == nil && cover == nil && attach == nil && stem.isEmpty
    }
}

/// Begin and end of a loop.
struct LoopArgument: ExpressibleByArgument {
    /// The times; nothing for the whole piece.
    let range: (start: Microseconds, end: Microseconds)?

    init?(argument: String) {
        if argument == "all" {
            range = nil
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = TimeArgument(argument: String(parts[0]))?.microseconds,
            let end = TimeArgument(argument: String(parts[1]))?.microseconds
        else { return nil }
        range = (start, end)
    }

    /// The markers in a piece.
    func markers(length: Microseconds) -> LoopMarkers {
        guard let range else { return LoopMarkers(start: 0, end: length) }
        return LoopMarkers(start: range.start, end: range.end)
    }
}

extension TimeArgument {
    /// The nearest microsecond, as pieces keep their times; nothing for times later than all that can be counted.
    var microseconds: Microseconds? { Microseconds(MediaTime(seconds: seconds, preferredTimescale: 1_000_000)) }
}

/// A time signature, right or wrong: a draft says which.
struct MeterArgument: ExpressibleByArgument {
    let signature: TimeSignature

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let upper = Int(parts[0]), let lower = Int(parts[1]) else { return nil }
        signature = TimeSignature(upper: upper, lower: lower)
    }
}

/// A key by its name.
struct KeyArgument: ExpressibleByArgument {
    let tonality: Tonality
    /// The spelling of its root, where it is another than the usual one.
    let spelling: NoteSpelling?

    init?(argument: String) {
        guard let tonality = Tonality(name: argument) else { return nil }
        self.tonality = tonality
        spelling = NoteSpelling(rootOf: argument)
    }
}

/// A stem with its name.
struct StemArgument: ExpressibleByArgument {
    let name: String
    let file: String

    init?(argument: String) {
        guard let place = argument.firstIndex(of: "="), place > argument.startIndex else { return nil }
        name = String(argument[..<place])
        file = String(argument[argument.index(after: place)...])
        guard !file.isEmpty else { return nil }
    }
}
