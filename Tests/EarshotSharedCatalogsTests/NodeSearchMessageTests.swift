import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

@Suite("Messages of searches between nodes")
struct NodeSearchMessageTests {
    private static let totals = SearchTotals(
        frameCount: 4_000,
        postingCount: 90_000,
        segmentCount: 3,
        referenceCount: 12,
        hasBits: true
    )

    private static func request(_ query: Signature = .random(seed: 1, seconds: 5)) -> NodeSearchRequest {
        NodeSearchRequest(
            catalog: "music",
            generation: 300,
            patience: 3_000,
            parts: [
                .init(object: "a", removedCount: 0, place: SearchPart(segment: 0, firstFrame: 0)),
                .init(object: "c", removedCount: 200, place: SearchPart(segment: 2, firstFrame: 3_000)),
            ],
            round: SearchRound(kind: .full, totals: totals),
            query: query
        )
    }

    @Test("a request reads as it was written", arguments: [false, true])
    func request(canAddSpectrogram: Bool) throws {
        let query = Signature.random(seed: 1, seconds: 5)
        let request = Self.request(canAddSpectrogram ? query.withSpectrogramElsewhere() : query)
        let read = try NodeSearchRequest(bytes: request.bytes())
        #expect(read.catalog == "music" && read.generation == 300 && read.patience == 3_000)
        #expect(read.parts == request.parts && read.round.kind == .full && read.round.totals == Self.totals)
        #expect(read.query == query && read.query.canAddSpectrogram == canAddSpectrogram)
    }

    @Test("the head of a request has always the same bytes")
    func vector() throws {
        let head: [UInt8] =
            Array("EARSHNSQ".utf8) + [1, 0, 1, 0] + [5] + Array("music".utf8) + [0xAC, 2, 0xB8, 0x17, 2]
            + [1, 0x61, 0, 0, 0] + [1, 0x63, 0xC8, 1, 2, 0xB8, 0x17]
        #expect(try Array(Self.request().bytes().prefix(head.count)) == head)
    }

    @Test("an answer reads as it was written, and names only what was asked")
    func answer() throws {
        let request = Self.request()
        let answer = NodeSearchAnswer(generation: 301, answer: RoundAnswer(segments: [2]))
        let read = try NodeSearchAnswer(bytes: answer.bytes(), to: request)
        #expect(read.generation == 301 && read.answer.segments == [2])
        for segments in [[1], [0, 0], [-1], [3]] {
            let bytes = try NodeSearchAnswer(generation: 1, answer: RoundAnswer(segments: segments)).bytes()
            #expect(throws: NodeSearchFault.self) { try NodeSearchAnswer(bytes: bytes, to: request) }
        }
    }

    @Test("another version of the messages or of the index is told from damage", arguments: [8, 10])
    func version(place: Int) throws {
        var bytes = try Self.request().bytes()
        bytes[place] = 2
        let other = bytes
        #expect(throws: NodeSearchFault.version) { try NodeSearchRequest(bytes: other) }
        var answer = try NodeSearchAnswer(generation: 1, answer: RoundAnswer(segments: [])).bytes()
        answer[place] = 2
        let otherAnswer = answer
        #expect(throws: NodeSearchFault.version) { try NodeSearchAnswer(bytes: otherAnswer, to: Self.request()) }
    }

    @Test("a request that contradicts itself is refused")
    func contradictions() {
        let changes: [(inout NodeSearchRequest) -> Void] = [
            { $0.parts[1].place.segment = 0 },
            { $0.parts[1].place.segment = 3 },
            { $0.parts[1].object = "a" },
            { $0.round.totals.segmentCount = 1 },
            { $0.round.totals.frameCount = -1 },
        ]
        for change in changes {
            var request = Self.request()
            change(&request)
            let changed = request
            #expect(throws: (any Error).self) { try NodeSearchRequest(bytes: changed.bytes()) }
        }
    }

    @Test("damaged messages are refused or read, and nothing else happens")
    func damage() throws {
        let request = Self.request()
        let asked = try request.bytes()
        let told = try NodeSearchAnswer(generation: 301, answer: RoundAnswer(segments: [0, 2])).bytes()
        for size in 0..<asked.count {
            #expect(throws: NodeSearchFault.self) { try NodeSearchRequest(bytes: Array(asked.prefix(size))) }
        }
        property("damaged messages between nodes", rounds: 2_000) { random in
            if let read = try? NodeSearchRequest(bytes: random.mutated(asked)) {
                guard read.round.isPossible, try NodeSearchRequest(bytes: read.bytes()).parts == read.parts else {
                    return false
                }
            }
            if let read = try? NodeSearchAnswer(bytes: random.mutated(told), to: request) {
                guard Set(read.answer.segments).isSubset(of: [0, 2]) else { return false }
            }
            return true
        }
    }
}

@Suite("Seals of messages between nodes")
struct NodeSealTests {
    private let seal = NodeSeal(secret: Data("a secret of the cluster".utf8))
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("a request counts for a minute, unchanged, from whoever has the secret")
    func requests() {
        let body = Data("body".utf8)
        let text = seal.seal(request: body, at: now)
        #expect(seal.isValid(text, request: body, at: now))
        #expect(seal.isValid(text, request: body, at: now + 60) && seal.isValid(text, request: body, at: now - 60))
        #expect(!seal.isValid(text, request: body, at: now + 61) && !seal.isValid(text, request: body, at: now - 61))
        #expect(!seal.isValid(text, request: Data("Body".utf8), at: now))
        #expect(!NodeSeal(secret: Data("another secret".utf8)).isValid(text, request: body, at: now))
        let later = "1800000001" + text.dropFirst(10)
        for wrong in ["", " ", "1800000000", "+" + text, text + "0", String(text.dropLast()), later] {
            #expect(!seal.isValid(wrong, request: body, at: now), "\(wrong)")
        }
    }

    @Test("an answer counts for its own request only, and is no request")
    func answers() {
        let body = Data("body".utf8)
        let request = seal.seal(request: body, at: now)
        let text = seal.seal(answer: body, to: request)
        #expect(seal.isValid(text, answer: body, to: request))
        #expect(!seal.isValid(text, answer: body, to: seal.seal(request: body, at: now + 1)))
        #expect(!seal.isValid(text, answer: Data(), to: request))
        #expect(!seal.isValid(String(request.dropFirst(11)), answer: body, to: "1800000000"))
    }
}
