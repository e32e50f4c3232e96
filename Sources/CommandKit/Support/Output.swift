import ArgumentParser

/// The form in which results are printed.
package struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    package var json = false

    @Flag(name: .long, help: "Print one JSON object a line.")
    package var jsonl = false

    package init() {}

    package func validate() throws {
        if json, jsonl { throw ValidationError("Choose --json or --jsonl, not both.") }
    }
}
