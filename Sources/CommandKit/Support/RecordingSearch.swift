package import Earshot

/// The search through a whole recording, with a bar that shows how far it is.
package enum RecordingSearch {
    /// The plays in a recording.
    ///
    /// - Parameters:
    ///   - signature: Of the recording.
    ///   - name: What to call it in errors.
    ///   - isThorough: Whether to look beneath what was found.
    ///   - hasBar: Whether the bar is drawn.
    package static func plays(
        in signature: Signature,
        named name: String,
        catalog: Catalog,
        isThorough: Bool = false,
        hasBar: Bool = true
    ) throws(EarshotError) -> [Play] {
        let bar = hasBar ? ProgressBar(total: 100) : nil
        defer { bar?.finish() }
        var percent = 0
        do {
            return try catalog.plays(in: signature, isThorough: isThorough) { share in
                while percent < Int(share * 100) {
                    bar?.step(audioSeconds: signature.duration.seconds / 100)
                    percent += 1
                }
            }
        } catch {
            throw EarshotError(error.code, DisplayText.failure(of: name, error.message), cause: error.cause)
        }
    }

    /// Says that a recording ends early.
    package static func noteCut(_ error: EarshotError) {
        Terminal.printError("\(error.message) The part before that is searched.")
    }
}
