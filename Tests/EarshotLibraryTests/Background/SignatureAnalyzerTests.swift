import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Signatures and duplicates of a library")
struct SignatureAnalyzerTests {
    private func song(_ name: String) -> URL {
        packageFolder.appendingPathComponent("Samples/Music").appendingPathComponent(name)
    }

    @Test("A signature is kept as it is, and the same recording in another encoding is found by it")
    func duplicates() async throws {
        try await withTemporaryFolder { folder in
            let copy = folder.appendingPathComponent("copy.mp3")
            try await ExportSession(song("snodom.ogg"), preset: .mp3, to: copy).export()
            let files = [song("snodom.ogg"), song("win-game.ogg"), copy, song("cold-day.ogg")]
            let store = MemoryAnalysisStore()
            let analysis = LibraryAnalysis([SignatureAnalyzer()], store: store)
            let items = files.map { LibraryAnalysis.Item(id: $0.lastPathComponent, url: $0, stamp: "1") }
            var signatures: [(item: String, signature: Signature)] = []
            for try await event in analysis.run(items) {
                guard case .finished(let item, let records, _) = event else { continue }
                for record in records {
                    let signature = try #require(try SignatureAnalyzer.signature(in: record))
                    signatures.append((item.id, signature))
                }
            }
            let direct = try await SignatureGenerator.signature(from: AssetReader(song("win-game.ogg")))
            #expect(signatures[1].signature == direct)
            #expect(try LibraryDuplicates.groups(among: signatures).map(\.items) == [["snodom.ogg", "copy.mp3"]])
        }
    }

    @Test("What is no signature is none, and one that is damaged says so")
    func damaged() throws {
        func record(_ outcome: AnalysisRecord.Outcome, by name: String = "signature") -> AnalysisRecord {
            AnalysisRecord(item: "a", analyzer: name, version: 1, stamp: "1", outcome: outcome)
        }
        #expect(try SignatureAnalyzer.signature(in: record(.failure(code: "readFailed", message: ""))) == nil)
        #expect(try SignatureAnalyzer.signature(in: record(.result([]), by: "key")) == nil)
        let error = #expect(throws: EarshotError.self) {
            try SignatureAnalyzer.signature(in: record(.result(Array("{}".utf8))))
        }
        #expect(error?.code == .signatureInvalid)
        #expect(try LibraryDuplicates.groups(among: []).isEmpty)
    }
}
