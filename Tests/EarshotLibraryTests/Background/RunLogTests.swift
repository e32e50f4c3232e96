import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import Foundation
import TestSupport
import Testing

@Suite("The log of a run")
struct RunLogTests {
    @Test(
        "An analysis and a scan have four entries each: begin, number of items, result, time",
        .requirements("R-MR-108")
    )
    func entries() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<3 {
                try SmallFiles.wave([], value: UInt8(number)).write(to: folder.appendingPathComponent("\(number).wav"))
            }
            var scan: [RunLogEntry] = []
            let library = FolderLibrary(folder)
            for try await event in library.scan() { scan += event.logEntries }
            var analysis: [RunLogEntry] = []
            let items = try await library.items().map {
                LibraryAnalysis.Item(id: $0.id.rawValue, url: $0.assetURL, stamp: "")
            }
            for try await event in LibraryAnalysis([LoudnessAnalyzer()], store: MemoryAnalysisStore()).run(items) {
                analysis += event.logEntries
            }
            for (entries, name) in [(scan, "scan"), (analysis, "analysis")] {
                #expect(entries.count == 4)
                #expect(entries.prefix(2) == [.started(name), .counted(3)])
                guard case .result(let words) = entries[2], case .elapsed(let seconds) = entries[3] else {
                    Issue.record("\(entries)")
                    return
                }
                #expect(words.hasPrefix("3 ") && seconds >= 0)
                #expect(entries.map(\.description)[1] == "3 items" && "\(entries[3])".hasPrefix("took "))
            }
        }
    }
}
