import EarshotFingerprints
import EarshotMedia
import Foundation

/// The options of the command line.
///
/// They are parsed by hand: options begin with one dash and have long names, some of which ArgumentParser would take
/// for rows of short ones, and their abbreviations differ from its own.
struct CommandOptions: Equatable {
    /// The format of results.
    enum Format { case text, json, plain }

    /// The request of the command line.
    enum Request: Equatable {
        case help, version
        case run(CommandOptions)
    }

    var paths: [String] = []
    var plan = FingerprintStream.Plan()
    var form = InputForm()
    var format = Format.text
    var showsTimestamps = false
    var isRaw = false
    var isSigned = false
    var ignoresErrors = false

    static func parse(_ arguments: [String]) throws(CommandFailure) -> Request {
        var options = CommandOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--":
                options.paths += rest
                rest = []
            case "-v", "-version": return .version
            case "-h", "-help", "--help": return .help
            case "-text": options.format = .text
            case "-json": options.format = .json
            case "-plain": options.format = .plain
            case "-overlap": options.plan.overlaps = true
            case "-ts": options.showsTimestamps = true
            case "-raw": options.isRaw = true
            case "-signed": options.isSigned = true
            case "-ignore-errors": options.ignoresErrors = true
            default: try options.take(argument, &rest)
            }
        }
        guard !options.paths.isEmpty else { throw CommandFailure("No input files") }
        if let name = options.form.formatName, !InputForm.isKnown(formatName: name) {
            throw CommandFailure("Invalid format")
        }
        return .run(options)
    }

    /// Takes an option with a value, or a path. An option that lacks its value is one that is not known.
    private mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        guard argument.hasPrefix("-"), argument != "-" else {
            paths.append(argument)
            return
        }
        guard let value = rest.popFirst() else { throw CommandFailure("Unknown option \(argument)") }
        // What begins with no number is zero, as everywhere in C.
        switch argument {
        case "-format", "-f": form.formatName = value
        case "-rate", "-r":
            guard atol(value) >= 0 else { throw notPositive(argument) }
            form.sampleRate = atol(value) > 0 ? Int(atol(value)) : nil
        case "-channels", "-c":
            guard atol(value) > 0 else { throw notPositive(argument, "non-zero positive") }
            form.channelCount = Int(atol(value))
        case "-length", "-t":
            guard atof(value) >= 0 else { throw notPositive(argument) }
            plan.length = atof(value)
        case "-chunk":
            guard atof(value) >= 0 else { throw notPositive(argument) }
            plan.chunk = atof(value)
        case "-algorithm", "-a":
            // Compared before one is taken off, which the least of all numbers would not survive.
            guard (1...FileFingerprint.Algorithm.allCases.count).contains(atol(value)),
                let algorithm = FileFingerprint.Algorithm(rawValue: atol(value) - 1)
            else {
                throw CommandFailure("The argument for \(argument) must be 1 - 5")
            }
            plan.algorithm = algorithm
        default: throw CommandFailure("Unknown option \(argument)")
        }
    }

    private func notPositive(_ option: String, _ kind: String = "positive") -> CommandFailure {
        CommandFailure("The argument for \(option) must be a \(kind) number")
    }

    static func help(name: String) -> String {
        """
        Usage: \(name) [OPTIONS] FILE [FILE...]

        Make the fingerprints that AcoustID knows music by. A file may be an address, or - for standard input.

        Options:
          -length SECS    How much of each file is looked at, 0 for all of it (120 unless given)
          -chunk SECS     A fingerprint of every stretch of so many seconds, in place of one
          -overlap        Let each stretch reach into the next one, so that nothing on a border is lost
          -ts             With each stretch, when its audio came in, in seconds since 1970
          -algorithm NUM  How fingerprints are computed, 1 to 5 (2 unless given, which is what AcoustID takes)
          -raw            Numbers in place of the compressed form
          -signed         The numbers with a sign, as databases keep them
          -json           Results as JSON
          -text           Results as KEY=value lines (unless given otherwise)
          -plain          Fingerprints alone
          -format NAME    What the input is, where it does not say so itself, such as s16le
          -rate NUM       Its samples a second
          -channels NUM   Its channels
          -version        The versions of Chromaprint and FFmpeg

        Exit codes: 0 done; 2 no fingerprint; 3 a fingerprint in spite of damage in the file.

        """
    }
}
