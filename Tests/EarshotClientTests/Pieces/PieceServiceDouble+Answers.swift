import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization

/// What the double answers, by the contract of client and service.
extension PieceServiceDouble {
    func begin(_ head: HTTPRequestHead) -> (Int, Exchange, Fault?) {
        let parts = URLComponents(string: head.uri)
        let path = parts?.path ?? head.uri
        return state.withLock { state in
            let spot = Self.spot(head.method.rawValue, path, state)
            let exchange = Exchange(
                spot: spot,
                method: head.method.rawValue,
                path: path,
                query: Dictionary((parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 },
                headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
            )
            state.exchanges.append(exchange)
            let fault =
                state.faults[spot]?.isEmpty == false ? state.faults[spot]?.removeFirst() : state.permanent[spot]
            return (state.exchanges.count - 1, exchange, fault)
        }
    }

    func took(_ index: Int, _ size: Int) { state.withLock { $0.exchanges[index].size = size } }

    func hold(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.held.append(work) } }

    /// What came of a part before its connection ended.
    func keep(_ exchange: Exchange, _ bytes: Data) {
        guard case .put = exchange.spot else { return }
        state.withLock { state in
            state.uploads[exchange.path.components(separatedBy: "/").last ?? ""]?.bytes += bytes
        }
    }

    private static func spot(_ method: String, _ path: String, _ state: State) -> Spot {
        let words = path.split(separator: "/").map { String($0) }
        guard words.first == "v1", words.count > 1 else { return .unknown }
        switch (method, words[1], words.count) {
        case ("POST", "tokens", 2): return .tokens
        case ("POST", "authorizations", 2): return .authorizations
        case ("POST", "device-authorizations", 2): return .devices
        case ("POST", "device-authorizations", 3): return .deviceAnswer
        case ("POST", "pieces", 2): return .create
        case ("GET", "pieces", 2): return .search
        case (_, "uploads", 3):
            guard let kind = state.uploads[words[2]]?.part.kind else { return .unknown }
            return method == "PUT" ? .put(kind) : .state(kind)
        case ("POST", "pieces", 4): return .publish
        case ("GET", "pieces", 3): return .fetch
        case ("PATCH", "pieces", 3): return .change
        case ("DELETE", "pieces", 3): return .remove
        case ("PUT", "pieces", 4): return .setCover
        case ("GET", "pieces", 4):
            switch words[3] {
            case "audio": return .audio
            case "cover": return .cover
            case "attachment": return .attachment
            case "findings": return .findings
            default: return .relatives
            }
        default: return .unknown
        }
    }

    static func json(_ value: some Encodable, status: Int = 200) -> Answer {
        Answer(status: status, body: (try? ServiceAPI.encoder().encode(value)) ?? Data())
    }

    static func failure(_ code: EarshotError.Code, _ status: Int, _ message: String = "No.") -> Answer {
        json(Failure(EarshotError(code, message)), status: status)
    }

    func answer(_ exchange: Exchange, _ body: Data, _ fault: Fault?) -> Answer {
        if case .answer(let status, let body, let headers) = fault {
            return Answer(status: status, headers: [("content-type", "application/json")] + headers, body: body)
        }
        return state.withLock { state in
            let user = Self.user(exchange, state)
            switch exchange.spot {
            case .tokens: return Self.tokens(body, state)
            case .authorizations, .devices, .deviceAnswer: return Self.logIn(exchange, body, &state)
            case .create: return Self.create(body, user, &state)
            case .put, .state: return Self.upload(exchange, body, user, &state)
            case .publish: return Self.finish(exchange, user, &state)
            case .search: return Self.search(exchange, user, state)
            case .fetch, .audio, .cover, .attachment, .relatives:
                var isWhole = false
                if case .wholeAnswer = fault { isWhole = true }
                return Self.read(exchange, user, state, isWhole: isWhole)
            case .change, .remove, .findings, .setCover: return Self.own(exchange, body, user, &state)
            case .unknown: return Self.failure(.requestInvalid, 404)
            }
        }
    }

    private static func user(_ exchange: Exchange, _ state: State) -> String? {
        let prefix = "Bearer token-"
        guard let field = exchange.headers["authorization"], field.hasPrefix(prefix) else { return nil }
        let user = String(field.dropFirst(prefix.count))
        return user == "app" || state.users[user] != nil ? user : nil
    }

    private static func tokens(_ body: Data, _ state: State) -> Answer {
        guard let request = try? ServiceAPI.decoder().decode(TokenRequest.self, from: body), request.client == key
        else { return failure(.clientIdentifierRejected, 401) }
        if let user = request.user, state.users[user] == nil { return failure(.tokenRejected, 401) }
        return json(
            TokenAnswer(token: "token-\(request.user ?? "app")", expiresIn: 3_600, client: "12345678", entitlements: [])
        )
    }

    private static func logIn(_ exchange: Exchange, _ body: Data, _ state: inout State) -> Answer {
        guard exchange.headers["authorization"] == "Bearer token-app" else { return failure(.tokenRejected, 401) }
        func answer(_ user: String) -> Answer {
            json(AuthorizationAnswer(user: user, author: state.users[user] ?? ""))
        }
        switch exchange.spot {
        case .authorizations:
            let request = try? ServiceAPI.decoder().decode(AuthorizationRequest.self, from: body)
            if let verifier = request?.codeVerifier { state.verifiers.append(verifier) }
            guard let request, let user = state.codes.removeValue(forKey: request.code) else {
                return failure(.accessDenied, 403, "The code is not known.")
            }
            return answer(user)
        case .devices:
            return json(
                DeviceAuthorization(
                    deviceCode: "device-1",
                    userCode: "ABCD-EFGH",
                    address: URL(string: "http://127.0.0.1:\(state.port)/device")!,
                    interval: 5,
                    expiresIn: 600
                )
            )
        default: return state.isDeviceApproved ? answer("user-1") : Answer(status: 202, headers: [])
        }
    }

    // MARK: - Drops

    private static func create(_ body: Data, _ user: String?, _ state: inout State) -> Answer {
        guard let user, user != "app" else { return failure(.tokenRejected, 401) }
        guard let creation = try? ServiceAPI.decoder().decode(PieceCreation.self, from: body) else {
            return failure(.requestInvalid, 400)
        }
        if let violation = creation.draft.violations.first { return failure(.pieceInvalid, 422, violation.reason) }
        for parent in creation.draft.basedOn.compactMap({ PieceID($0) }) where state.entries[parent]?.piece == nil {
            return failure(.unknownParent, 422, "There is no piece \(parent).")
        }
        let id = creation.draft.id ?? PieceID()
        if state.entries[id] == nil {
            var entry = Entry(owner: user, creation: creation)
            for part in creation.parts {
                let upload = "u\(state.uploads.count + 1)"
                state.uploads[upload] = Upload(piece: id, part: part)
                entry.uploads.append(upload)
            }
            state.entries[id] = entry
        }
        let uploads = state.entries[id]?.uploads.compactMap { name in state.uploads[name].map { told(name, $0) } }
        return json(PieceCreated(id: id, uploads: uploads ?? []), status: 201)
    }

    private static func told(_ id: String, _ upload: Upload) -> UploadState {
        UploadState(
            id: id,
            kind: upload.part.kind,
            name: upload.part.name,
            size: upload.part.size,
            received: upload.bytes.count,
            isComplete: upload.isComplete
        )
    }

    private static func upload(
        _ exchange: Exchange,
        _ body: Data,
        _ user: String?,
        _ state: inout State
    ) -> Answer {
        let id = exchange.path.components(separatedBy: "/").last ?? ""
        guard var upload = state.uploads[id], let entry = state.entries[upload.piece], entry.owner == user else {
            return failure(.accessDenied, 403)
        }
        guard exchange.method == "PUT" else { return json(told(id, upload)) }
        if let range = exchange.headers["content-range"] {
            let numbers = range.split { !$0.isNumber }.compactMap { Int($0) }
            guard range.hasPrefix("bytes "), numbers.count == 3, numbers[0] == upload.bytes.count,
                numbers[1] - numbers[0] + 1 == body.count, numbers[2] == upload.part.size
            else { return failure(.requestInvalid, 409, "Ask where to go on.") }
        }
        upload.bytes += body
        if upload.bytes.count >= upload.part.size {
            upload.isComplete = hexadecimal(digest(upload.bytes)) == upload.part.sha256
            if !upload.isComplete { upload.bytes = Data() }
        }
        state.uploads[id] = upload
        return upload.isComplete || upload.bytes.count > 0
            ? json(told(id, upload)) : failure(.uploadFailed, 422, "The digest is another.")
    }

    private static func finish(_ exchange: Exchange, _ user: String?, _ state: inout State) -> Answer {
        guard let (id, entry) = found(exchange, state), entry.owner == user else { return failure(.accessDenied, 403) }
        if let piece = entry.piece { return json(piece) }
        let parts = entry.uploads.compactMap { state.uploads[$0] }
        guard parts.contains(where: { $0.part.kind == .stem && $0.part.name == nil && $0.isComplete }) else {
            return failure(.stemMissing, 409, "The piece has no stem.")
        }
        guard parts.allSatisfy(\.isComplete), let draft = try? entry.creation.draft.draft() else {
            return failure(.uploadFailed, 409)
        }
        let piece = piece(id, entry, draft, port: state.port)
        state.entries[id]?.piece = piece
        return json(piece)
    }

    // MARK: - Pieces

    private static func found(_ exchange: Exchange, _ state: State) -> (PieceID, Entry)? {
        let words = exchange.path.split(separator: "/")
        guard words.count > 2, let id = PieceID(String(words[2])), let entry = state.entries[id] else { return nil }
        return (id, entry)
    }

    private static func search(_ exchange: Exchange, _ user: String?, _ state: State) -> Answer {
        let isOwn = exchange.query["author"] == "me"
        let pieces = state.entries.values.filter { entry in
            !entry.isRemoved && (isOwn ? entry.owner == user : entry.creation.visibility == .listed)
        }.compactMap(\.piece).filter { piece in
            exchange.query["q"].map { piece.title.contains($0) } ?? true
        }
        return json(PiecePage(pieces: pieces, offset: Int(exchange.query["offset"] ?? "") ?? 0, total: pieces.count))
    }

    private static func read(_ exchange: Exchange, _ user: String?, _ state: State, isWhole: Bool) -> Answer {
        guard let (id, entry) = found(exchange, state), let piece = entry.piece,
            piece.visibility != .private || entry.owner == user
        else { return failure(.pieceNotFound, 404) }
        guard !entry.isRemoved else { return failure(.pieceNotFound, 410) }
        func bytes(_ kind: PartKind, _ name: String? = nil) -> Data? {
            entry.uploads.lazy.compactMap { state.uploads[$0] }
                .first { $0.part.kind == kind && $0.part.name == name }?.bytes
        }
        switch exchange.spot {
        case .fetch: return json(piece)
        case .audio:
            let kind = exchange.query["kind"] == "preview" ? PartKind.preview : .stem
            let name = exchange.query["name"]
            guard let sound = name == nil ? bytes(kind) ?? bytes(.stem) : bytes(.stem, name) else {
                return failure(.pieceNotFound, 404)
            }
            let names: [String: StemFormat] = ["wave": .wave, "ogg": .oggVorbis, "m4a": .aacM4A]
            guard let wanted = exchange.query["format"].flatMap({ names[$0] }) else {
                return file(sound, exchange, isWhole)
            }
            guard !state.missingFormats.contains(wanted) else { return failure(.formatUnavailable, 422) }
            // What is converted is made up here.
            let isSame = StemFormat(beginOf: sound) == wanted
            return file(isSame ? sound : PieceSamples.sound(wanted, 5_000), exchange, isWhole)
        case .cover: return bytes(.cover).map { file($0, exchange, isWhole) } ?? failure(.pieceNotFound, 404)
        case .attachment:
            return bytes(.attachment).map { file($0, exchange, isWhole) } ?? failure(.pieceNotFound, 404)
        default:
            let isUp = exchange.path.hasSuffix("ancestors")
            var (list, seen, distance) = ([RelativeList.Entry](), Set([id]), 0)
            var front = [id]
            while !front.isEmpty {
                distance += 1
                let next = state.entries.filter { other, value in
                    guard !seen.contains(other), let piece = value.piece else { return false }
                    return isUp
                        ? front.contains { state.entries[$0]?.piece?.basedOn.contains(other) == true }
                        : piece.basedOn.contains { front.contains($0) }
                }
                for (other, value) in next {
                    seen.insert(other)
                    list.append(
                        RelativeList.Entry(
                            id: other,
                            distance: distance,
                            isRemoved: value.isRemoved,
                            title: value.isRemoved ? nil : value.piece?.title,
                            author: value.isRemoved ? nil : value.piece?.author,
                            basedOn: value.piece?.basedOn ?? []
                        )
                    )
                }
                front = next.map(\.key)
            }
            return json(RelativeList(list))
        }
    }

    private static func file(_ bytes: Data, _ exchange: Exchange, _ isWhole: Bool) -> Answer {
        let digest = digest(bytes)
        let tag = "\"\(hexadecimal(digest))\""
        var answer = Answer(
            headers: [("etag", tag), ("repr-digest", "sha-256=:\(digest.base64EncodedString()):")],
            body: bytes
        )
        if !isWhole, let range = exchange.headers["range"], exchange.headers["if-range"] ?? tag == tag,
            let begin = Int(range.filter(\.isNumber)), begin < bytes.count
        {
            answer.status = 206
            answer.headers.append(("content-range", "bytes \(begin)-\(bytes.count - 1)/\(bytes.count)"))
            answer.body = bytes.dropFirst(begin)
        }
        answer.body = Data(answer.body)
        return answer
    }

    private static func own(
        _ exchange: Exchange,
        _ body: Data,
        _ user: String?,
        _ state: inout State
    ) -> Answer {
        guard let (id, entry) = found(exchange, state) else { return failure(.pieceNotFound, 404) }
        guard entry.owner == user else { return failure(.accessDenied, 403) }
        switch exchange.spot {
        case .findings: return json(state.findings)
        case .remove:
            if entry.piece == nil { state.entries[id] = nil } else { state.entries[id]?.isRemoved = true }
            return Answer(status: 204, headers: [])
        case .setCover: return Answer(status: 204, headers: [])
        default:
            guard let change = try? ServiceAPI.decoder().decode(PieceChange.self, from: body),
                let piece = entry.piece
            else { return failure(.requestInvalid, 400) }
            var form = entry.creation
            form.draft.title = change.title ?? form.draft.title
            form.description = change.description ?? piece.description
            form.visibility = change.visibility ?? piece.visibility
            state.entries[id]?.creation = form
            guard let draft = try? form.draft.draft(), let entry = state.entries[id] else {
                return failure(.pieceInvalid, 422)
            }
            let changed = Self.piece(id, entry, draft, port: state.port)
            state.entries[id]?.piece = changed
            return json(changed)
        }
    }
}
