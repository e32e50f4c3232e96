import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport

@testable import EarshotClient

/// Drafts, sound and apps of tests.
enum PieceSamples {
    /// Bytes that begin as a format does.
    static func sound(_ format: StemFormat, _ count: Int) -> Data {
        var bytes: Data
        switch format {
        case .wave: bytes = Data("RIFF\0\0\0\0WAVEfmt ".utf8)
        case .oggVorbis: bytes = Data("OggS".utf8) + Data(count: 22) + [1, 30] + Data("\u{1}vorbis".utf8)
        case .aacM4A: bytes = Data([0, 0, 0, 24]) + Data("ftypM4A ".utf8)
        }
        bytes += Data((0..<max(0, count - bytes.count)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        return bytes
    }

    static func cover() -> Data {
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        for _ in 0..<2 { withUnsafeBytes(of: UInt32(640).bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes + Data(count: 1_000)
    }

    /// Every field is used.
    static func draft(basedOn: [PieceID] = []) throws -> PieceDraft {
        try PieceDraft(
            title: "Lantern loop 🪔",
            length: 40_000_000,
            tempo: FixedTempo(120.5),
            loop: LoopMarkers(start: 0, end: 500_000),
            timeSignature: TimeSignature(upper: 7, lower: 8),
            basedOn: basedOn,
            tonality: .minor(.a)
        )
    }

    static func announcement(_ kind: PartKind, _ bytes: Data, _ format: StemFormat? = nil) -> (PartAnnouncement, Data) {
        let digest = PieceServiceDouble.hexadecimal(PieceServiceDouble.digest(bytes))
        return (
            PartAnnouncement(
                kind: kind,
                size: bytes.count,
                sha256: digest,
                format: format,
                fileName: kind == .attachment ? "song.xyz" : nil
            ), bytes
        )
    }

    /// A client of a service, for which a user has logged in.
    static func client(
        _ service: PieceServiceDouble,
        account: PieceAccount? = PieceAccount(user: "user-1", author: "Ada"),
        _ change: (inout PieceClient.Configuration) -> Void = { _ in }
    ) async throws -> PieceClient {
        var configuration = PieceClient.Configuration(
            applicationIdentifier: "sketcher",
            apiKey: PieceServiceDouble.key,
            service: service.url
        )
        configuration.manifest = NoManifest()
        // Limits that a machine does not come near that does much else.
        configuration.options.requestLimit = MediaTime(value: 600, timescale: 1)
        configuration.options.connectLimit = configuration.options.requestLimit
        configuration.options.retry = RetryPolicy(attempts: 4, firstDelay: .zero)
        change(&configuration)
        let client = try PieceClient(configuration)
        if let account { try await configuration.tokenStore.keep(account, for: client.place) }
        return client
    }
}

/// An app that gives parts, and remembers what it was told.
final class TestProviders: DropProviders {
    typealias Give<Value> = @Sendable (PieceDraft) async throws -> Value

    private let stem: Give<AudioBundle>
    private let stemsGiven: Give<[PieceStem]>
    private let previewGiven: Give<AudioBundle?>
    private let coverGiven: Give<CoverImage?>
    private let attachmentGiven: Give<AttachmentBundle?>
    private let state = Mutex<(drafts: [PieceDraft], closings: [Bool])>(([], []))

    init(
        stem: @escaping Give<AudioBundle> = { _ in
            try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
        },
        stems: @escaping Give<[PieceStem]> = { _ in [] },
        preview: @escaping Give<AudioBundle?> = { _ in nil },
        cover: @escaping Give<CoverImage?> = { _ in nil },
        attachment: @escaping Give<AttachmentBundle?> = { _ in nil }
    ) {
        self.stem = stem
        stemsGiven = stems
        previewGiven = preview
        coverGiven = cover
        attachmentGiven = attachment
    }

    /// An app that gives every part.
    static func all(stemSize: Int = 3_000) -> TestProviders {
        TestProviders(
            stem: { _ in try AudioBundle(.wave, PieceSamples.sound(.wave, stemSize)) },
            preview: { _ in try AudioBundle(.oggVorbis, PieceSamples.sound(.oggVorbis, 2_000)) },
            cover: { _ in try CoverImage(PieceSamples.cover()) },
            attachment: { _ in
                try AttachmentBundle(
                    fileName: "song.xyz",
                    mediaType: "application/x-song",
                    bytes: Data((0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                )
            }
        )
    }

    /// What the providers were given, in order.
    var drafts: [PieceDraft] { state.withLock { $0.drafts } }
    /// What the app was told at the end.
    var closings: [Bool] { state.withLock { $0.closings } }

    private func see(_ draft: PieceDraft) { state.withLock { $0.drafts.append(draft) } }

    func mixStem(for draft: PieceDraft) async throws -> AudioBundle {
        see(draft)
        return try await stem(draft)
    }

    func stems(for draft: PieceDraft) async throws -> [PieceStem] {
        see(draft)
        return try await stemsGiven(draft)
    }

    func preview(for draft: PieceDraft) async throws -> AudioBundle? {
        see(draft)
        return try await previewGiven(draft)
    }

    func cover(for draft: PieceDraft) async throws -> CoverImage? {
        see(draft)
        return try await coverGiven(draft)
    }

    func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? {
        see(draft)
        return try await attachmentGiven(draft)
    }

    func closed(succeeded: Bool) async { state.withLock { $0.closings.append(succeeded) } }
}

/// The two ways to a drop: what is promised holds on both.
enum DropEntry: String, CaseIterable, Sendable {
    case flow, share

    func begin(
        _ client: PieceClient,
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String = "",
        visibility: Piece.Visibility = .listed
    ) -> DropFlow {
        switch self {
        case .flow: client.dropFlow(draft, providers, description: description, visibility: visibility)
        case .share:
            PieceShareAction(client, draft, providers, description: description, visibility: visibility).perform()
        }
    }
}

extension DropFlow {
    /// Everything that it tells.
    func all() async -> [DropEvent] {
        var all: [DropEvent] = []
        for await event in self { all.append(event) }
        return all
    }

    /// Waits until it tells something of a phase.
    func wait(for phase: DropState.Phase) async {
        for await event in self where event.phase == phase { return }
    }

    /// Why there is no piece.
    func failure() async -> EarshotError? {
        do {
            _ = try await piece
            return nil
        } catch {
            return error
        }
    }
}

/// An app that takes pieces.
@MainActor
final class TestReceiver: PieceReceiver {
    private let continuation: AsyncStream<Result<OpenedPiece, EarshotError>>.Continuation
    /// What it was given.
    nonisolated let results: AsyncStream<Result<OpenedPiece, EarshotError>>

    nonisolated init() { (results, continuation) = AsyncStream.makeStream() }

    func receive(_ result: Result<OpenedPiece, EarshotError>) { continuation.yield(result) }

    /// The next that it is given.
    nonisolated func next() async -> Result<OpenedPiece, EarshotError>? {
        var iterator = results.makeAsyncIterator()
        return await iterator.next()
    }
}
