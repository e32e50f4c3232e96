/// Names the requirements that a measurement proves, as the tests' trait of this name does.
public func requirements(_ ids: String...) -> [String] { ids }

/// Says whether a measured figure keeps to what requirements allow.
public func verdict(_ ids: [String], _ what: String, _ figure: Double, atMost limit: Double) -> String {
    "\(ids.joined(separator: ", ")): \(what) \(figure), at most \(limit) allowed: \(figure <= limit ? "kept" : "BROKEN")"
}
