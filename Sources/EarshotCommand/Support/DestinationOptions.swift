import ArgumentParser

/// Where a command writes what it makes.
struct DestinationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Write it here; to standard output unless stated, and for -.",
        completion: .file()
    )
    var output: String?

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    /// The file; nothing for standard output.
    var file: String? { output == "-" ? nil : output }
}
