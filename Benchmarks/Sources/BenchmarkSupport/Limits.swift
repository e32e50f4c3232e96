/// Names the requirements that a measurement proves, as the tests' trait of this name does.
public func requirements(_ ids: String...) -> [String] { ids }

/// Measured figures beside what requirements allow. A program that holds some ends with `finish()`, so that a broken limit is a failure.
public struct Limits: Sendable {
    private var broken: [String] = []

    /// No figures yet.
    public init() {}

    /// Prints a figure and whether it keeps to its limit. What could not be measured is infinite, and so keeps to none.
    public mutating func hold(_ ids: [String], _ what: String, _ figure: Double, atMost limit: Double) {
        let names = ids.joined(separator: ", ")
        let isKept = figure <= limit
        print("\(names): \(what) \(figure), at most \(limit) allowed: \(isKept ? "kept" : "BROKEN")")
        if !isKept { broken.append("\(names): \(what)") }
    }

    /// Prints whether something holds that has no figure.
    public mutating func hold(_ ids: [String], _ what: String, _ holds: Bool) {
        let names = ids.joined(separator: ", ")
        print("\(names): \(what): \(holds ? "kept" : "BROKEN")")
        if !holds { broken.append("\(names): \(what)") }
    }

    /// Fails where a limit was broken: the program then ends with 1.
    public func finish() throws {
        guard broken.isEmpty else { throw Failure("Broken: \(broken.joined(separator: "; ")).") }
    }
}
