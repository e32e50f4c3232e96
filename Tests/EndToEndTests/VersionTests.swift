import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("the version")
struct VersionTests {
    @Test("earshot --version tells version, commit and the FFmpeg that is loaded, a line each")
    func report() async throws {
        let outcome = try await Workshop.earshot.run(["--version"])
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3, "\(outcome.output)")
        #expect(lines[0] == "earshot \(CommandVersion.text)")
        #expect(lines[1].wholeMatch(of: /commit (unknown|[0-9a-f]{7,64})/) != nil, "\(lines[1])")
        #expect(lines[2] == "FFmpeg \(FFmpegLibraries.release) (\(FFmpegLibraries.description))")
    }

    @Test("the first section of the release notes is that of this version")
    func notes() throws {
        let notes = try String(contentsOf: packageFolder.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        #expect(notes.firstMatch(of: /(?m)^## ([0-9.]+)/)?.1 == Substring(CommandVersion.text))
    }
}
