import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

/// The code of the guide's chapter on pieces: it stands in this file, and is run.
@Suite("The guide's code for pieces")
struct PieceGuideTests {
    struct Loop: DropProviders {
        let sound: Data

        func mixStem(for draft: PieceDraft) async throws -> AudioBundle {
            try AudioBundle(.wave, sound)
        }
    }

    struct Kit: DropProviders {
        let drums: Data

        func mixStem(for draft: PieceDraft) async throws -> AudioBundle { try AudioBundle(.wave, drums) }

        func stems(for draft: PieceDraft) async throws -> [PieceStem] {
            [PieceStem(name: "Drums", sound: PackagedAudio(try AudioBundle(.wave, drums)))]
        }
    }

    private func setUp(
        _ service: URL,
        _ studio: any PieceReceiver,
        _ key: String,
        _ show: @escaping @Sendable (URL) async throws -> Void
    ) throws -> PieceClient {
        var configuration = PieceClient.Configuration(
            applicationIdentifier: "sketcher",
            apiKey: key,
            service: service,
            receiver: studio
        )
        configuration.tokenStore = FileTokenStore(FileTokenStore.usualFolder())
        configuration.login = BrowserLogin { page in
            try await show(page)
            return nil
        }
        let client = try PieceClient.setUp(configuration)
        return client
    }

    private func handles(_ address: URL, _ client: PieceClient) -> Bool {
        guard client.handle(address) else { return false }
        return true
    }

    private func drop(
        _ client: PieceClient,
        _ sound: Data,
        _ tell: (PartKind, Double) -> Void
    ) async throws -> Piece {
        let draft = try PieceDraft(
            title: "Lantern",
            length: 2_000_000,
            tempo: FixedTempo(120),
            basedOn: client.nextDraftParents,
            tonality: .minor(.a)
        )
        let flow = client.dropFlow(draft, Loop(sound: sound))
        for await event in flow {
            if case .uploading(let part, let fraction) = event { tell(part, fraction) }
        }
        let piece = try await flow.piece
        return piece
    }

    private func open(
        _ client: PieceClient,
        _ piece: Piece,
        _ file: URL,
        _ tell: @escaping @Sendable (Int, Int) -> Void,
        _ add: (Data, String) -> Void = { _, _ in }
    ) async throws -> Data {
        let opened = try await client.open(piece.id)
        let stem = try await opened.audio(format: .wave)
        try await opened.audio(kind: .preview, format: .oggVorbis, to: file) { done, total in tell(done, total) }
        for name in opened.piece.stems { add(try await opened.audio(kind: .named(name)), name) }
        return stem
    }

    @Test("It does what it says")
    func runs() async throws {
        try await PieceServiceDouble.with { service in
            let receiver = TestReceiver()
            let client = try await PieceSamples.client(service) { $0.receiver = receiver }
            let sound = PieceSamples.sound(.wave, 3_000)
            let shares = Mutex<[Double]>([])
            let piece = try await drop(client, sound) { _, share in shares.withLock { $0.append(share) } }
            #expect(shares.withLock { $0.last } == 1)
            let kit = try await client.drop(try PieceSamples.draft(), Kit(drums: sound))
            try await withTemporaryFolder { folder in
                var added: [String: Data] = [:]
                let other = folder.appendingPathComponent("kit.ogg")
                _ = try await open(client, kit, other, { _, _ in }) { added[$1] = $0 }
                #expect(added == ["Drums": sound])
                let file = folder.appendingPathComponent("loop.ogg")
                let stem = try await open(client, piece, file) { _, _ in }
                let preview = try Data(contentsOf: file)
                #expect(stem == sound && StemFormat(beginOf: preview) == .oggVorbis)
            }
            #expect(handles(try #require(client.scheme.address(opening: piece.id)), client))
            #expect(try await receiver.next()?.get().id == piece.id)
        }
        // An app without a registered scheme is refused before anything is kept.
        let service = try #require(URL(string: "http://127.0.0.1:9"))
        let error = #expect(throws: EarshotError.self) { try setUp(service, TestReceiver(), "", { _ in }) }
        #expect(error?.code == .setupInvalid)
    }

    @Test("The guide's code stands in this file")
    func stands() throws {
        let guide = try String(contentsOf: packageFolder.appendingPathComponent("Docs/client.md"), encoding: .utf8)
        let own = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        func lines(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let chapter = try #require(guide.range(of: "\n## Pieces\n"))
        let text = guide[chapter.upperBound...].components(separatedBy: "\n## ")[0]
        let blocks = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(blocks.count == 6)
        let code = lines(own)
        for block in blocks {
            let wanted = lines(block.dropFirst("swift\n".count))
            let stands = code.indices.contains { code[$0...].starts(with: wanted) }
            #expect(stands, "\(wanted.first ?? "")")
        }
    }
}
