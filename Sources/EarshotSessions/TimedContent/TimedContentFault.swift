import EarshotCore

/// What is wrong with timed content, before it is known where the content came from.
struct TimedContentFault: Error {
    /// The line, counted from 1, where there are lines.
    var line: Int?
    /// Which of the entries given, counted from 0.
    var entry: Int?
    /// One sentence with the remedy.
    var message: String

    init(line: Int? = nil, entry: Int? = nil, _ message: String) {
        self.line = line
        self.entry = entry
        self.message = message
    }

    /// The error as callers see it.
    func error(in name: String? = nil) -> EarshotError {
        let place = [name, line.map { name == nil ? "Line \($0)" : "line \($0)" }].compactMap { $0 }
        return EarshotError(
            .timelineInvalid,
            place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
        )
    }
}
