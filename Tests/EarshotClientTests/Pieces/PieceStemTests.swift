import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Stems besides the mix")
struct PieceStemTests {
    private static func stem(_ name: String, _ count: Int) throws -> PieceStem {
        PieceStem(name: name, sound: PackagedAudio(try AudioBundle(.wave, PieceSamples.sound(.wave, count))))
    }

    @Test("Stems are dropped with the mix, and come back by their names", arguments: DropEntry.allCases)
    func roundTrip(entry: DropEntry) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service) { $0.uploadSize = 1_000 }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("stem-\(UUID().uuidString).ogg")
            defer { try? FileManager.default.removeItem(at: file) }
            try PieceSamples.sound(.oggVorbis, 2_500).write(to: file)
            let providers = TestProviders(stems: { _ in
                [try Self.stem("Drums", 5_000), PieceStem(name: "Bass & Æ", sound: try PackagedAudio(file: file))]
            })
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            let events = await flow.all()
            let piece = try await flow.piece
            #expect(piece.stems == ["Drums", "Bass & Æ"])
            let opened = try await client.open(piece.id)
            #expect(try await opened.audio(kind: .named("Drums")) == PieceSamples.sound(.wave, 5_000))
            #expect(try await opened.audio(kind: .named("Bass & Æ")) == Data(contentsOf: file))
            #expect(try await opened.audio() == PieceSamples.sound(.wave, 3_000))
            // One share of all sound that belongs to the mix: it does not begin anew with each.
            let shares = events.compactMap { event -> Double? in
                if case .uploading(.stem, let share) = event { share } else { nil }
            }
            #expect(shares.first == 0 && shares.last == 1 && shares == shares.sorted() && shares.count >= 10)
            #expect(shares.count { $0 == 1 } == 1)
            await #expect(throws: EarshotError.self) { try await opened.audio(kind: .named("drums")) }
        }
    }

    @Test(
        "Names that cannot be are told before anything is sent",
        arguments: [["a", "A"], [""], ["../x"], [".x"], ["é", "e\u{301}"], (0...64).map { "s\($0)" }]
    )
    func names(names: [String]) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let providers = TestProviders(stems: { _ in try names.map { try Self.stem($0, 500) } })
            let flow = client.dropFlow(try PieceSamples.draft(), providers)
            #expect(await flow.failure()?.code == .pieceInvalid)
            #expect(service.exchanges(.create).isEmpty)
            #expect(providers.closings == [false])
        }
    }

    @Test("What goes wrong with one of them ends the drop and names it")
    func failure() async throws {
        struct Broken: Error, LocalizedError { var errorDescription: String? { "no room" } }
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let thrown = client.dropFlow(try PieceSamples.draft(), TestProviders(stems: { _ in throw Broken() }))
            let error = await thrown.failure()
            #expect(error?.code == .providerFailed && error?.message.contains("no room") == true)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("stem-\(UUID().uuidString).wav")
            try PieceSamples.sound(.wave, 500).write(to: file)
            let sound = try PackagedAudio(file: file)
            try FileManager.default.removeItem(at: file)
            let missing = client.dropFlow(
                try PieceSamples.draft(),
                TestProviders(stems: { _ in [PieceStem(name: "a", sound: sound)] })
            )
            #expect(await missing.failure()?.code == .assetNotFound)
            #expect(service.entryCount == 0)
        }
    }
}
