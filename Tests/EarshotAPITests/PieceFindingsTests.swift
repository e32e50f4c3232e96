import Foundation
import Testing

@testable import EarshotAPI

@Suite("Findings in pieces")
struct PieceFindingsTests {
    @Test(
        "a quotation is told in words whatever a service says of it",
        arguments: [
            12, 0, -3.26, 1e17, 1e300, -1e300, Double.greatestFiniteMagnitude, .nan, .infinity, Double(Int.min) / 10,
        ]
    )
    func sentence(_ number: Double) {
        let quotation = PieceFindings.Quotation(
            source: .catalog,
            id: "song",
            title: nil,
            artist: nil,
            start: number,
            end: 0,
            sourceStart: number,
            speedSkew: number,
            pitchSkew: 0,
            confidence: 1
        )
        #expect(quotation.sentence.contains(" of song"))
    }

    @Test("usual numbers have one place behind the point")
    func usual() {
        let quotation = PieceFindings.Quotation(
            source: .piece,
            id: "x",
            title: "Title",
            artist: "Artist",
            start: 3,
            end: 15,
            sourceStart: 4,
            speedSkew: 0.03,
            pitchSkew: 0,
            confidence: 1
        )
        #expect(quotation.sentence.hasPrefix("12.0 s of Title by Artist at +3.0 %, from 3.0 s on"))
    }
}
