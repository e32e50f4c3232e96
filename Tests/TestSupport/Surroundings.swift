package import Foundation

/// The folder of the package.
package let packageFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // TestSupport
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()

/// Gives the body an empty folder that is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Gives the body an empty folder that is removed afterwards.
package func withTemporaryFolder<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// The variables with which a program takes a folder for its user's home and keeps its files nowhere else.
package func userEnvironment(home: URL) -> [String: String] {
    // An empty variable counts as one that is not set.
    ["HOME": home.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": ""]
}

/// The seed that a person gave to repeat one round of a property test.
func seedFromEnvironment() -> UInt64? {
    ProcessInfo.processInfo.environment["EARSHOT_SEED"].flatMap { UInt64($0) }
}

/// How many times as long as usual a property test is to run.
func soakFactor() -> Int {
    ProcessInfo.processInfo.environment["EARSHOT_SOAK"].flatMap { Int($0) }.map { max(1, $0) } ?? 1
}

private func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}
