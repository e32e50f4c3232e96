package import ArgumentParser

/// The place to which a command writes its result.
package struct DestinationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Write it here; to standard output unless stated, and for -.",
        completion: .file()
    )
    package var output: String?

    @Flag(name: .long, help: "Replace an existing output.")
    package var replace = false

    /// The file; nothing for standard output.
    package var file: String? { output == "-" ? nil : output }

    package init() {}
}
