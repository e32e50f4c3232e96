import Earshot

/// The search through a whole recording, with a bar that shows how far it is.
enum RecordingSearch {
    /// The plays in a recording.
    ///
    /// - Parameters:
    ///   - signature: Of the recording.
    ///   - name: What to call it in errors.
    static func plays(in signature: Signature, named name: String, catalog: Catalog) throws(EarshotError) -> [Play] {
        let bar = ProgressBar(total: 100)
        defer { bar.finish() }
        var percent = 0
        do {
            return try catalog.plays(in: signature) { share in
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
