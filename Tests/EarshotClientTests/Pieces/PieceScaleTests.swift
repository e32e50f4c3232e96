import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Keys of pieces that a service tells of")
struct PieceScaleTests {
    @Test("A piece whose scale has no members is taken from elsewhere", .requirements("R-PC-037"))
    func empty() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            let data = PieceServiceDouble.json(piece).body
            var fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let scale = [Bool](repeating: false, count: 12)
            fields["tonality"] = ["state": "tonal", "scale": scale, "root": 0] as [String: Any]
            service.fail(.fetch, .answer(status: 200, body: try JSONSerialization.data(withJSONObject: fields)))
            let fetched = try await client.fetch(piece.id)
            #expect(fetched.tonality == .tonal([], root: .c) && fetched.title == piece.title)
            // One that is made here says more.
            #expect(throws: DraftErrors.self) {
                try PieceDraft(title: fetched.title, length: fetched.length, tonality: fetched.tonality)
            }
        }
    }
}
