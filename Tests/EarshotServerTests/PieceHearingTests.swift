import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("What is heard in pieces")
struct PieceHearingTests {
    private func drop(
        _ service: TestService,
        _ title: String,
        _ seed: UInt64,
        from start: Double = 0,
        seconds: Double = 20,
        visibility: Piece.Visibility = .listed,
        basedOn: [PieceID] = [],
        token: String
    ) async throws -> Piece {
        try await service.drop(
            DraftForm(
                title: title,
                length: Microseconds(Int64(seconds * 1e6)),
                basedOn: basedOn.map(\.description)
            ),
            [.stem(seed, from: start, seconds: seconds)],
            visibility: visibility,
            token: token
        )
    }

    @Test("what else sounds in a piece is told its owner and the operator, a parent too")
    func quotations() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            // The second track of the catalog, from its fifth second on.
            let quoting = try await drop(service, "Quoting", 2, from: 5, token: token)
            let findings = try await service.findings(of: quoting.id, token: token)
            let quotation = try #require(findings.contains.first)
            #expect(findings.contains.count == 1 && findings.warnings.isEmpty)
            #expect(quotation.source == .catalog && quotation.id == "ref-2")
            #expect(quotation.title == "Plain" && quotation.artist == "Nobody")
            #expect(abs(quotation.sourceStart - 5 - quotation.start) < 0.5 && quotation.confidence > 0.8)

            let own = try await drop(service, "Own", 777, token: token)
            #expect(try await service.findings(of: own.id, token: token).contains.isEmpty)
            let child = try await drop(service, "Child", 777, from: 3, seconds: 12, basedOn: [own.id], token: token)
            let heard = try await service.findings(of: child.id, token: token).contains
            #expect(heard.map(\.source) == [.piece] && heard.map(\.id) == [own.id.description])
            #expect(heard.first?.title == "Own" && heard.first?.artist == "Ada")

            let page = try await service.ask(.GET, "/v1/admin/pieces?quoting=1", token: service.admin)
                .decoded(ModerationPage.self)
            #expect(page.entries.map(\.piece.id) == [child.id, quoting.id] && page.total == 2)
            #expect(page.entries.first?.findings.contains == heard)
            #expect(
                try await service.ask(.GET, "/v1/admin/pieces", token: service.admin).decoded(ModerationPage.self)
                    .total == 3
            )
            // What was removed, or may not be seen, is told nobody.
            let other = try await service.author("Grace")
            let hidden = PieceChange(visibility: .private)
            _ = try await service.ask(.PATCH, "/v1/pieces/\(own.id)", token: token, json: hidden)
            let foreign = try await drop(service, "Foreign", 777, from: 5, seconds: 12, token: other)
            let told = try await service.findings(of: foreign.id, token: other).contains
            #expect(!told.contains { $0.id == own.id.description } && told.contains { $0.id == child.id.description })
        }
    }

    @Test("a piece is found by a recording until it is removed, by those who may find it")
    func recognition() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.author("Ada", of: client)
            let piece = try await drop(service, "Own", 778, token: token)
            _ = try await service.findings(of: piece.id, token: token)
            func found(_ token: String, _ type: String = "audio/wav") async throws -> [PieceMatches.Match] {
                let reply = try await service.ask(
                    .POST,
                    "/v1/pieces/recognitions",
                    token: token,
                    type: "audio/wav",
                    body: TestMusic.wave(TestMusic.samples(778, from: 4, duration: 8))
                )
                #expect(reply.status == 200)
                return try reply.decoded(PieceMatches.self).matches
            }
            let other = try await service.userToken(client)
            let match = try #require(try await found(other).first)
            #expect(match.piece == piece && abs(match.offset - 4) < 0.2 && match.confidence > 0.8)
            for visibility in [Piece.Visibility.unlisted, .private] {
                let change = PieceChange(visibility: visibility)
                _ = try await service.ask(.PATCH, "/v1/pieces/\(piece.id)", token: token, json: change)
                #expect(try await found(other).isEmpty)
                #expect(try await found(token).map(\.piece.id) == [piece.id])
            }
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            #expect(try await found(token).isEmpty)
            #expect(service.server.pieces.catalog?.catalog.isEmpty == true)
        }
    }

    @Test("what is wrong with a stem keeps nothing else from being heard, and is told")
    func badStem() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let bad = TestService.Part(.stem, Data("RIFF\0\0\0\0WAVE".utf8), format: .wave, name: "Bad")
            let piece = try await service.drop(
                DraftForm(title: "Quoting", length: 20_000_000),
                [.stem(2, from: 5, seconds: 20), bad],
                token: token
            )
            let findings = try await service.findings(of: piece.id, token: token)
            #expect(findings.contains.map(\.id) == ["ref-2"] && findings.unheard == ["Bad"])
            #expect(service.server.pieces.catalog?.catalog.contains(ReferenceID(piece.id.description)) == true)
            // An operator who looks for quotations finds what could not be heard too.
            let own = try await service.drop(
                DraftForm(title: "Own", length: 20_000_000),
                [.stem(790, seconds: 20), bad],
                token: token
            )
            #expect(try await service.findings(of: own.id, token: token).unheard == ["Bad"])
            let page = try await service.ask(.GET, "/v1/admin/pieces?quoting=1", token: service.admin)
                .decoded(ModerationPage.self)
            #expect(page.entries.map(\.piece.id) == [own.id, piece.id])
        }
    }

    @Test("what people are played is listened to as well")
    func preview() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let quoting = TestService.Part.stem(2, from: 5, seconds: 20)
            let piece = try await service.drop(
                DraftForm(title: "Own", length: 20_000_000),
                [.stem(791, seconds: 20), TestService.Part(.preview, quoting.data, format: .wave)],
                token: token
            )
            let heard = try #require(try await service.findings(of: piece.id, token: token).contains.first)
            #expect(heard.id == "ref-2" && heard.isPreview == true && heard.stem == nil)
            #expect(heard.sentence.hasSuffix(" in the preview"))
        }
    }

    @Test("a piece that nobody finds is told only those who name it as a parent")
    func unlisted() async throws {
        try await TestService.run { (service: TestService) async throws in
            let (ada, grace) = (try await service.author("Ada"), try await service.author("Grace"))
            let hidden = try await drop(service, "Hidden", 792, visibility: .unlisted, token: ada)
            _ = try await service.findings(of: hidden.id, token: ada)
            let alike = try await drop(service, "Alike", 792, from: 4, seconds: 12, token: grace)
            #expect(try await service.findings(of: alike.id, token: grace).contains.isEmpty)
            let child = try await drop(service, "Child", 792, from: 4, seconds: 12, basedOn: [hidden.id], token: grace)
            #expect(
                try await service.findings(of: child.id, token: grace).contains.map(\.id).contains(
                    hidden.id.description
                )
            )
        }
    }

    @Test(
        "sound that takes too long is given up, a service that is busy is not",
        arguments: [(EarshotError.Code.timedOut, 1_000, true), (.serviceBusy, 8, false), (.storeUnavailable, 8, false)]
    )
    func patience(code: EarshotError.Code, failures: Int, isGivenUp: Bool) async throws {
        let converter = FailingConverter(code, failures)
        try await TestService.run(converter: converter) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let other = try await service.drop(token: token)
            for id in [piece.id, other.id] {
                while try await service.server.pieces.store.findings(of: id) == nil {
                    service.server.pieces.listen()
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(try await service.findings(of: id, token: token).unheard == (isGivenUp ? ["mix"] : nil))
            }
        }
    }

    @Test("a length that is not the declared one is a warning")
    func length() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            for (declared, codes) in [(2_000_000, []), (2_049_000, []), (2_060_000, [AudioWarning.Code.lengthDiffers])]
            {
                let piece = try await service.drop(
                    DraftForm(title: "A", length: Microseconds(Int64(declared))),
                    token: token
                )
                let findings = try await service.findings(of: piece.id, token: token)
                #expect(findings.warnings.map(\.code) == codes)
            }
        }
    }

    @Test("what the catalog of pieces lacks is added again, what it has too much is removed, and what was heard stays")
    func again() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await drop(service, "Own", 779, token: token)
            _ = try await service.findings(of: piece.id, token: token)
            let catalog = try #require(service.server.pieces.catalog)
            #expect(catalog.catalog.referenceIDs.map(\.rawValue) == [piece.id.description])
            try catalog.remove(catalog.catalog.referenceIDs)
            try catalog.add([.init(id: "stranger", signature: try TestMusic.whole(1), items: [])])
            try await service.server.pieces.begin()
            #expect(try await service.server.pieces.store.findings(of: piece.id) != nil)
            while catalog.catalog.referenceIDs.map(\.rawValue) != [piece.id.description] {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// Fails as often as it is told, and then does what is asked.
final class FailingConverter: StemConverter {
    let formats = Set(StemFormat.allCases)
    private let code: EarshotError.Code
    private let left: Mutex<Int>
    private let asked = Mutex(0)

    /// How many conversions were asked for.
    var conversions: Int { asked.withLock { $0 } }

    init(_ code: EarshotError.Code, _ failures: Int) {
        self.code = code
        left = Mutex(failures)
    }

    private func fail() throws(EarshotError) {
        let fails = left.withLock { left in
            left -= 1
            return left >= 0
        }
        if fails { throw EarshotError(code, "Not now.") }
    }

    func convert(
        reading input: FileHandle,
        to format: StemFormat,
        tags: AudioTags,
        output: URL
    ) async throws(EarshotError) {
        asked.withLock { $0 += 1 }
        try fail()
        try await InProcessStemConverter().convert(reading: input, to: format, tags: tags, output: output)
    }

    func facts(reading input: FileHandle, loop: LoopMarkers?) async throws(EarshotError) -> AudioFindings {
        try fail()
        return try await InProcessStemConverter().facts(reading: input, loop: loop)
    }
}
