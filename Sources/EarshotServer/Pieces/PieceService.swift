import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotPieces
import EarshotRecognition
import Foundation
import Logging
import Synchronization

/// The pieces of a service and the work on them.
final class PieceService: Sendable {
    /// The time for which parts may be on their way, in seconds: a day.
    static let draftLifetime = 86_400.0

    let store: any PieceStore
    let files: PieceFiles
    let intake = UploadHandler()
    let vault: MirroredPartStore
    let conversions: PieceConversions
    let converter: any StemConverter
    /// The catalog with which pieces are recognized; `nil` if they are not.
    let catalog: CatalogStore?
    let logger: Logger
    /// The disk of the folder.
    let disk: DiskReserve
    private let limits: PieceLimits
    private let cacheLimit: Int
    /// Called if there is something to listen to.
    let dropped: AsyncStream<Void>
    private let droppedInput: AsyncStream<Void>.Continuation
    /// Called if there is something to remove, or to bring into the object store.
    let cleanupNeeded: AsyncStream<Void>
    private let cleanupRequests: AsyncStream<Void>.Continuation
    /// Pieces that the object store does not have all of; nothing as long as nobody has looked.
    let notKept = Mutex<Set<PieceID>?>(nil)

    init(
        _ settings: ServiceSettings,
        store: any PieceStore,
        folder: URL,
        disk: DiskReserve,
        catalog: CatalogStore?,
        partStore: (any ObjectStore)?,
        leases: LeaseKeeper,
        converter: any StemConverter,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        files = PieceFiles(folder: folder.appendingPathComponent("pieces", isDirectory: true))
        self.converter = converter
        self.catalog = catalog
        self.logger = logger
        vault = MirroredPartStore(files: files, store: partStore, leases: leases)
        cacheLimit = settings.pieceCache
        self.disk = disk
        limits = PieceLimits(
            drafts: settings.pieceDrafts,
            authorBytes: settings.pieceAuthorLimit,
            totalBytes: settings.pieceTotalLimit,
            announcedBytes: settings.pieceAnnouncedLimit
        )
        conversions = PieceConversions(
            files: files,
            vault: vault,
            converter: converter,
            // Whoever asks for formats keeps nobody from being recognized.
            queue: WorkQueue(width: max(1, settings.workers / 2), limit: settings.queueLimit, yields: true),
            logger: logger,
            now: now
        )
        (dropped, droppedInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (cleanupNeeded, cleanupRequests) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The room that pieces may take now: no more is announced than the disk has room for.
    ///
    /// - Parameter bytes: The number of bytes to be written.
    /// - Throws: `writeFailed` where there is no room for that.
    func limits(for bytes: Int) async throws(EarshotError) -> PieceLimits {
        let (disk, limits) = (disk, limits)
        return try await BlockingWork.run { () throws(EarshotError) in
            try disk.check(for: bytes)
            guard let room = disk.room() else { return limits }
            var now = limits
            now.announcedBytes = min(limits.announcedBytes ?? room, room)
            return now
        }
    }

    /// Has the catalog of pieces follow the store, and new pieces listened to in their turn.
    func listen() { droppedInput.yield() }

    /// Has what was discarded removed, and what is not kept brought into the object store.
    func requestCleanup() { cleanupRequests.yield() }

    // MARK: - Who may see what

    /// Somebody who asks.
    struct Reader: Sendable {
        /// The author that whoever asks publishes as.
        var author: PieceAuthor?
        var isOperator = false

        func owns(_ piece: PieceRecord) -> Bool { author.map { $0.id == piece.author } ?? false }
        func mayChange(_ piece: PieceRecord) -> Bool { isOperator || owns(piece) }
        func maySee(_ piece: PieceRecord) -> Bool { piece.state == .published && mayKnow(piece) }
        /// Returns `true` if a piece is said to be there, or to have been there.
        func mayKnow(_ piece: PieceRecord) -> Bool { piece.visibility != .private || mayChange(piece) }
        /// Returns `true` if the reader can find a piece without its address.
        func mayFind(_ piece: PieceRecord) -> Bool {
            piece.state == .published && (piece.visibility == .listed || mayChange(piece))
        }
    }

    func reader(_ identity: Identity) async throws(EarshotError) -> Reader {
        switch identity {
        case .nobody: return Reader()
        case .admin: return Reader(isOperator: true)
        case .client(_, let user):
            guard let user else { return Reader() }
            return Reader(author: try await store.author(ofUser: user.id))
        }
    }

    static func missing(_ id: String) -> EarshotError {
        EarshotError(.pieceNotFound, "There is no piece \(id.prefix(80)): check the identifier.")
    }

    /// A piece that whoever asks may see.
    ///
    /// - Throws: `pieceNotFound`; with the status of what is gone for one that was removed.
    func piece(_ text: String, for reader: Reader) async throws -> PieceRecord {
        guard let id = PieceID(text), let piece = try await store.piece(id) else { throw Self.missing(text) }
        guard piece.state != .removed else { throw reader.mayKnow(piece) ? HTTPFailure.gone(id) : Self.missing(text) }
        guard reader.maySee(piece) else { throw Self.missing(text) }
        return piece
    }

    /// A piece that whoever asks may change.
    ///
    /// - Parameter isPublished: `true` if it has to be published.
    /// - Throws: `pieceNotFound`, `accessDenied`.
    func piece(changedBy reader: Reader, _ text: String, isPublished: Bool = true) async throws -> PieceRecord {
        guard let id = PieceID(text), let piece = try await store.piece(id) else { throw Self.missing(text) }
        guard piece.state != .removed else { throw reader.mayKnow(piece) ? HTTPFailure.gone(id) : Self.missing(text) }
        guard reader.mayChange(piece) else {
            // Of what may not be seen it is not told that it is there.
            guard reader.maySee(piece) else { throw Self.missing(text) }
            throw EarshotError(.accessDenied, "The piece \(id) is somebody else's: only its author may do this.")
        }
        guard !isPublished || piece.state == .published else { throw Self.missing(text) }
        return piece
    }

    // MARK: - As they are told

    /// Pieces as they are told of; those of authors who are gone are left out.
    ///
    /// - Parameter base: The address of the service.
    func told(_ records: [PieceRecord], base: String) async throws(EarshotError) -> [Piece] {
        let authors = try await store.authors(records.map(\.author))
        return records.compactMap { record in
            guard let draft = record.draft, let published = record.published,
                let address = URL(string: "\(base)/pieces/\(record.id)")
            else { return nil }
            return Piece(
                id: record.id,
                draft: draft,
                description: record.description,
                createdAt: published,
                address: address,
                author: authors[record.author]?.name.text ?? "",
                visibility: record.visibility,
                hasCover: record.part(.cover) != nil,
                hasPreview: record.part(.preview) != nil,
                attachmentName: record.part(.attachment)?.fileName,
                stems: record.stems.compactMap(\.name)
            )
        }
    }

    func told(_ record: PieceRecord, base: String) async throws(EarshotError) -> Piece {
        guard let piece = try await told([record], base: base).first else { throw Self.missing(record.id.description) }
        return piece
    }

    // MARK: - Removing and care

    /// Removes a piece with all its files; what an object store has of it goes soon after.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - condition: Returns `true` if the piece, as it is now, is to be removed.
    func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool = { _ in true }
    ) async throws(EarshotError) {
        guard try await store.remove(id, where: condition) != nil else { return }
        try await forget([id])
    }

    /// Removes an author with all pieces and their files; what an object store has of them goes soon after.
    ///
    /// - Returns: `true` if there was one.
    func removeAuthor(_ id: String) async throws(EarshotError) -> Bool {
        guard let removed = try await store.removeAuthor(id) else { return false }
        try await forget(removed)
        return true
    }

    /// Removes the files of pieces that the store has removed, and lets them be recognized no longer.
    private func forget(_ ids: [PieceID]) async throws(EarshotError) {
        let (files, catalog) = (files, catalog)
        try await BlockingWork.run { () throws(EarshotError) in
            for id in ids { files.remove(id) }
            try catalog?.removePieces(ids.map(\.reference))
        }
        requestCleanup()
    }

    /// Changes the catalog of pieces.
    static func changing(_ body: () throws -> Void) throws(EarshotError) {
        do {
            try body()
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "The catalog of pieces could not be changed.", cause: error)
        }
    }

    /// Does what has to be done from time to time: drops that nobody finishes are given up, and the folder of this node is kept small.
    ///
    /// Each node does it: what is removed from the store is removed once, whoever comes first.
    func performMaintenance(at now: Date) async throws(EarshotError) {
        let files = files
        let limit = now.addingTimeInterval(-Self.draftLifetime)
        for id in try await store.drafts(begunBefore: limit) {
            // Its author may have published it meanwhile.
            try await remove(id) { $0.state == .draft && $0.begun < limit }
        }
        try await store.removeCodes(expiredBy: now)
        // A folder comes after its piece: one without a piece was made by who sent parts of a drop that was given up.
        let folders = try await BlockingWork.run { () throws(EarshotError) in files.pieces() }
        let known = try await store.identifiers([.draft, .published])
        let orphans = folders.filter { !known.contains($0) }
        if !orphans.isEmpty {
            try await BlockingWork.run { () throws(EarshotError) in for id in orphans { files.remove(id) } }
        }
        let isKept: @Sendable (PieceID) -> Bool
        if vault.storeName != nil, let notKept = notKept.withLock({ $0 }) {
            let published = try await store.identifiers([.published])
            isKept = { published.contains($0) && !notKept.contains($0) }
        } else {
            isKept = { _ in false }
        }
        let cacheLimit = cacheLimit
        try await BlockingWork.run { () throws(EarshotError) in files.trim(to: cacheLimit, isKept: isKept) }
        requestCleanup()
        listen()
    }

    /// Brings the files of this node and the store together, when the service begins: what a lost process has left is removed. Other
    /// nodes may be at work on what is in the store.
    ///
    /// A store that never had a piece has been lost if there are files of some: these are put aside.
    func begin() async throws(EarshotError) {
        let known = try await store.identifiers([.draft, .published])
        let isNew = try await store.identifiers([.draft, .published, .removed]).isEmpty
        let (files, logger) = (files, logger)
        try await BlockingWork.run { () throws(EarshotError) in
            if isNew, let aside = files.putAside() {
                logger.error(
                    "There are files of pieces and the store knows none: the files were put aside. Put back the store or a backup.",
                    metadata: ["folder": "\(aside.path)"]
                )
            }
            files.removeLeftovers()
            for id in files.pieces() where !known.contains(id) { files.remove(id) }
        }
        requestCleanup()
        listen()
    }
}
