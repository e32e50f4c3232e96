import ArgumentParser
import CommandKit
import EarshotCore

struct TimeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time",
        abstract: "Work with exact times: values over a scale.",
        subcommands: [TimeConvertCommand.self]
    )
}

struct TimeConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a time to another scale, and say whether it was rounded.",
        discussion: """
            EXAMPLES
              earshot time convert 147@44100 600
              earshot time convert 1024@48000 44100 --round zero
              earshot time convert --json 1001@30000 600
              earshot time convert -- -1@44100 600
            """
    )

    /// The rounding of values between two units.
    enum Method: String, CaseIterable, ExpressibleByArgument {
        case nearest, zero, away, up, down, legacy

        var rounding: MediaTime.Rounding {
            switch self {
            case .nearest: .halfAwayFromZero
            case .zero: .towardZero
            case .away: .awayFromZero
            case .up: .towardPositiveInfinity
            case .down: .towardNegativeInfinity
            case .legacy: .legacy
            }
        }
    }

    @Argument(help: "The time: a number of units, @, units a second.")
    var time: String

    @Argument(help: "Units a second of the result.")
    var scale: Int32

    @Option(name: .long, help: "nearest (halves away from zero), zero, away, up, down, or legacy.")
    var round = Method.nearest

    @OptionGroup var output: OutputOptions

    private struct Result: Encodable {
        let value: Int64
        let timescale: Int32
        let seconds: Double
        let rounded: Bool
    }

    private var parsed: MediaTime? {
        let parts = time.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let value = Int64(parts[0]), let scale = Int32(parts[1]), scale > 0 else { return nil }
        return MediaTime(value: value, timescale: scale)
    }

    func validate() throws {
        guard parsed != nil else {
            throw ValidationError(
                "\"\(time)\" is no time: give a whole number, @ and a scale above 0, as in 147@44100."
            )
        }
        if scale < 1 { throw ValidationError("The scale is 1 or more.") }
    }

    func run() async throws {
        guard let parsed else { return }
        let result = parsed.converted(toTimescale: scale, rounding: round.rounding)
        guard result.isNumeric else {
            throw EarshotError(.requestInvalid, "\(time) is too large for a scale of \(scale): choose a smaller scale.")
        }
        if output.json || output.jsonl {
            let answer = Result(
                value: result.value,
                timescale: result.timescale,
                seconds: result.seconds,
                rounded: result.hasBeenRounded
            )
            Terminal.print(output.json ? try JSON.document(answer) : try JSON.line(answer))
        } else {
            Terminal.print("\(result.value)@\(result.timescale)" + (result.hasBeenRounded ? "  rounded" : ""))
        }
    }
}
