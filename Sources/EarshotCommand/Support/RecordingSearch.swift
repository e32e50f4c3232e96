import Earshot

/// The search through a whole recording, with a bar that shows how far it is.
enum RecordingSearch {
    /// The plays in a recording.
    ///
    /// - Parameters:
    ///   - signature: Of the recording.
    ///   - name: What to call it in errors.
    ///   - isThorough: Whether to look beneath what was found.
    static func plays(
        in signature: Signature,
        named name: String,
        catalog: Catalog,
        isThorough: Bool = false
    ) throws(EarshotError) -> [Play] {
        let bar = ProgressBar(total: 100)
        defer { bar.finish() }
        var percent = 0
        do {
            return try catalog.plays(in: signature, isThorough: isThorough) { share in
                while percent < Int(share * 100) {
                    bar.step(audioSeconds: signature.duration.seconds / 100)
                    percent += 1
                }
            }
        } catch {
            throw EarshotError(error.code, "\(name): \(error.message)", cause: error.cause)
        }
    }
}
