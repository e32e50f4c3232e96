import Crypto
import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A service of pieces on the loopback interface, in memory, which fails where a test says so.
final class PieceServiceDouble: Sendable {
    /// A kind of request.
    enum Spot: Hashable, Sendable {
        case tokens, authorizations, devices, deviceAnswer
        case create, put(PartKind), state(PartKind), publish, fetch, change, remove, setCover
        case audio, cover, attachment, relatives, search, findings
        case unknown
    }

    /// What happens to a request instead of a proper answer.
    enum Fault: Sendable {
        /// The connection ends before anything is done.
        case ignored
        /// The connection ends after so many bytes of the request's body, which are kept.
        case cutRequest(after: Int)
        /// It is done, and the connection ends instead of an answer.
        case lost
        /// The connection ends after so many bytes of the answer's body.
        case cutAnswer(after: Int)
        /// The same, once the test says so.
        case stallAnswer(after: Int)
        /// A byte of the answer's body is another one.
        case wrongByte(at: Int)
        /// The bytes of the request are damaged on their way.
        case damaged
        /// Something else is answered.
        case answer(status: Int, body: Data, headers: [(String, String)] = [])
        /// It is done and answered when the test says so.
        case held
        /// Ranges are not looked at.
        case wholeAnswer
    }

    /// A request as it came.
    struct Exchange: Sendable {
        let spot: Spot
        let method: String
        let path: String
        let query: [String: String]
        let headers: [String: String]
        /// How many bytes of its body have come.
        var size = 0
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [(String, String)] = [("content-type", "application/json")]
        var body = Data()
    }

    struct Entry: Sendable {
        let owner: String
        var creation: PieceCreation
        var piece: Piece?
        var isRemoved = false
        /// The parts by their uploads, in order.
        var uploads: [String] = []
    }

    struct Upload: Sendable {
        let piece: PieceID
        let part: PartAnnouncement
        var bytes = Data()
        var isComplete = false
    }

    struct State {
        var port = 0
        var exchanges: [Exchange] = []
        var faults: [Spot: [Fault]] = [:]
        var permanent: [Spot: Fault] = [:]
        var held: [@Sendable () -> Void] = []
        var entries: [PieceID: Entry] = [:]
        var uploads: [String: Upload] = [:]
        var users = ["user-1": "Ada"]
        var codes = ["code-1": "user-1"]
        /// What was shown together with codes.
        var verifiers: [String] = []
        /// The pages on which somebody has logged in.
        var pages: [URL] = []
        var isDeviceApproved = false
        var missingFormats: Set<StemFormat> = []
        var findings = PieceFindings(isComplete: true)
    }

    static let key = "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"

    let state = Mutex(State())
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    /// The address of the service.
    let url: URL

    init() async throws {
        let holder = Holder()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try channel.pipeline.syncOperations.addHandler(DoubleHandler(holder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        self.channel.withLock { $0 = channel }
        state.withLock { $0.port = port }
        holder.set(self)
    }

    /// Gives a service to a body and ends it afterwards.
    static func with(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (PieceServiceDouble) async throws -> Void
    ) async throws {
        let service = try await PieceServiceDouble()
        do {
            try await body(service)
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    /// Ends: whoever connects is refused.
    func stop() async {
        release()
        try? await channel.withLock { $0 }?.close()
    }

    // MARK: - For tests

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    var spots: [Spot] { exchanges.map(\.spot) }
    func exchanges(_ spot: Spot) -> [Exchange] { exchanges.filter { $0.spot == spot } }

    /// What goes wrong with the next requests of a kind, one after the other.
    func fail(_ spot: Spot, _ faults: Fault...) { state.withLock { $0.faults[spot, default: []] += faults } }

    /// What goes wrong with every request of a kind.
    func failAlways(_ spot: Spot, _ fault: Fault?) { state.withLock { $0.permanent[spot] = fault } }

    /// Answers what was held.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for work in held { work() }
    }

    /// Waits until something is held.
    func waitForHeld() async {
        while state.withLock({ $0.held.isEmpty }) { await Task.yield() }
    }

    var published: [Piece] {
        state.withLock { $0.entries.values.filter { !$0.isRemoved }.compactMap(\.piece) }
    }

    /// Everything that is there, published or not.
    var entryCount: Int { state.withLock { $0.entries.values.count { !$0.isRemoved } } }

    /// Puts a piece there that somebody dropped.
    @discardableResult
    func publish(
        _ draft: PieceDraft,
        parts: [(PartAnnouncement, Data)],
        owner: String = "user-1",
        visibility: Piece.Visibility = .listed
    ) -> Piece {
        state.withLock { state in
            let id = PieceID()
            let creation = PieceCreation(
                draft: DraftForm(draft),
                visibility: visibility,
                parts: parts.map(\.0)
            )
            var entry = Entry(owner: owner, creation: creation)
            for (part, bytes) in parts {
                let upload = "u\(state.uploads.count + 1)"
                state.uploads[upload] = Upload(piece: id, part: part, bytes: bytes, isComplete: true)
                entry.uploads.append(upload)
            }
            state.entries[id] = entry
            let piece = Self.piece(id, entry, draft, port: state.port)
            state.entries[id]?.piece = piece
            return piece
        }
    }

    /// Removes a piece as its owner would.
    func remove(_ id: PieceID) { state.withLock { $0.entries[id]?.isRemoved = true } }

    static func piece(_ id: PieceID, _ entry: Entry, _ draft: PieceDraft, port: Int) -> Piece {
        func has(_ kind: PartKind) -> Bool { entry.creation.parts.contains { $0.kind == kind } }
        return Piece(
            id: id,
            draft: draft,
            description: entry.creation.description,
            createdAt: Date(timeIntervalSince1970: 1_800_000_000.125),
            address: URL(string: "http://127.0.0.1:\(port)/pieces/\(id)")!,
            author: "Ada",
            visibility: entry.creation.visibility,
            hasCover: has(.cover),
            hasPreview: has(.preview),
            attachmentName: entry.creation.parts.first { $0.kind == .attachment }?.fileName,
            stems: entry.creation.parts.filter { $0.kind == .stem }.compactMap(\.name)
        )
    }

    static func digest(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }

    static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The double that a connection belongs to, which is there before the first request.
final class Holder: Sendable {
    private let double = Mutex<PieceServiceDouble?>(nil)
    func set(_ value: PieceServiceDouble) { double.withLock { $0 = value } }
    var value: PieceServiceDouble? { double.withLock { $0 } }
}

/// Collects a request, has it answered, writes the answer.
private final class DoubleHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let holder: Holder
    private var head: HTTPRequestHead?
    private var exchange: (index: Int, value: PieceServiceDouble.Exchange)?
    private var fault: PieceServiceDouble.Fault?
    private var body = Data()
    private var isOver = false

    init(_ holder: Holder) { self.holder = holder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let double = holder.value, !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            (self.head, body) = (head, Data())
            let (index, exchange, fault) = double.begin(head)
            self.exchange = (index, exchange)
            self.fault = fault
            if case .ignored = fault { end(context) }
        case .body(let part):
            body.append(contentsOf: part.readableBytesView)
            if case .cutRequest(let limit) = fault, body.count >= limit, let exchange {
                double.took(exchange.index, limit)
                double.keep(exchange.value, Data(body.prefix(limit)))
                end(context)
            }
        case .end:
            guard let head, let exchange else { return }
            double.took(exchange.index, body.count)
            if case .damaged = fault, !body.isEmpty { body[0] ^= 0x55 }
            let (channel, version, fault, body) = (context.channel, head.version, fault, body)
            let work = { @Sendable in
                var answer = double.answer(exchange.value, body, fault)
                if case .lost = fault { return channel.close(promise: nil) }
                var cut: Int?
                var isStalled = false
                if case .cutAnswer(let count) = fault { cut = count }
                if case .stallAnswer(let count) = fault { (cut, isStalled) = (count, true) }
                if case .wrongByte(let place) = fault { answer.body[place] ^= 0x55 }
                var headers = HTTPHeaders(answer.headers)
                headers.replaceOrAdd(name: "content-length", value: String(answer.body.count))
                let head = HTTPResponseHead(
                    version: version,
                    status: HTTPResponseStatus(statusCode: answer.status),
                    headers: headers
                )
                // Before anything is sent, for a test may want it as soon as something has come.
                if isStalled { double.hold { channel.close(promise: nil) } }
                channel.write(HTTPServerResponsePart.head(head), promise: nil)
                let sent = cut.map { answer.body.prefix($0) } ?? answer.body
                channel.writeAndFlush(
                    HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: sent))),
                    promise: nil
                )
                if isStalled { return }
                if cut != nil {
                    channel.close(promise: nil)
                } else {
                    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
                }
            }
            if case .held = fault { double.hold(work) } else { work() }
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        isOver = true
        context.close(promise: nil)
    }
}
