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
    /// The time after which a draft that was not published is given up, in seconds: a day.
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
    /// The disk of the service's folder.
    let disk: DiskReserve
    private let limits: PieceLimits
    private let cacheLimit: Int
    /// Yields an element when pieces may wait for analysis.
    let dropped: AsyncStream<Void>
    private let droppedInput: AsyncStream<Void>.Continuation
    /// Yields an element when parts may wait to be removed, or to be copied into the object store.
    let cleanupNeeded: AsyncStream<Void>
    private let cleanupRequests: AsyncStream<Void>.Continuation
    /// The pieces of which the object store lacks parts; `nil` before the first look.
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
            // A queue of its own, so that conversions take no turns of recognition.
            queue: WorkQueue(width: max(1, settings.workers / 2), limit: settings.queueLimit, yields: true),
            logger: logger,
            now: now
        )
        (dropped, droppedInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (cleanupNeeded, cleanupRequests) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the limits of pieces at present: no more bytes may be announced than the disk has room for.
    ///
    /// - Parameter bytes: The number of bytes to be written.
    /// - Throws: `writeFailed` if the disk has no room for them.
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

    /// Requests that the catalog of pieces follows the store, and that new pieces are analyzed.
    func listen() { droppedInput.yield() }

    /// Requests that discarded parts are removed, and missing ones copied into the object store.
    func requestCleanup() { cleanupRequests.yield() }

    // MARK: - Who may see what

    /// The sender of a request, as far as access to pieces depends on it.
    struct Reader: Sendable {
        /// The author as whom the sender publishes; `nil` if there is none.
        var author: PieceAuthor?
        var isOperator = false

        func owns(_ piece: PieceRecord) -> Bool { author.map { $0.id == piece.author } ?? false }
        func mayChange(_ piece: PieceRecord) -> Bool { isOperator || owns(piece) }
        func maySee(_ piece: PieceRecord) -> Bool { piece.state == .published && mayKnow(piece) }
        /// Returns `true` if the reader may learn that a piece exists or existed.
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

    /// Returns a piece that a reader may see.
    ///
    /// - Throws: `pieceNotFound`, with status 410 for a piece that was removed and that the reader may know of.
    func piece(_ text: String, for reader: Reader) async throws -> PieceRecord {
        guard let id = PieceID(text), let piece = try await store.piece(id) else { throw Self.missing(text) }
        guard piece.state != .removed else { throw reader.mayKnow(piece) ? HTTPFailure.gone(id) : Self.missing(text) }
        guard reader.maySee(piece) else { throw Self.missing(text) }
        return piece
    }

    /// Returns a piece that a reader may change.
    ///
    /// - Parameter isPublished: `true` if the piece must be published.
    /// - Throws: `pieceNotFound`, `accessDenied`.
    func piece(changedBy reader: Reader, _ text: String, isPublished: Bool = true) async throws -> PieceRecord {
        guard let id = PieceID(text), let piece = try await store.piece(id) else { throw Self.missing(text) }
        guard piece.state != .removed else { throw reader.mayKnow(piece) ? HTTPFailure.gone(id) : Self.missing(text) }
        guard reader.mayChange(piece) else {
            // A reader who may not see the piece must not learn that it exists.
            guard reader.maySee(piece) else { throw Self.missing(text) }
            throw EarshotError(.accessDenied, "The piece \(id) is somebody else's: only its author may do this.")
        }
        guard !isPublished || piece.state == .published else { throw Self.missing(text) }
        return piece
    }

    // MARK: - As they are told

    /// Returns pieces in the form in which they are sent. Records without a draft or a date of publication are left out.
    ///
    /// - Parameter base: The address of the service, without a slash at the end.
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

    /// Removes a piece with all its files. Its parts in the object store are removed soon after.
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

    /// Removes an author with all pieces and their files. Their parts in the object store are removed soon after.
    ///
    /// - Returns: `true` if there was one.
    func removeAuthor(_ id: String) async throws(EarshotError) -> Bool {
        guard let removed = try await store.removeAuthor(id) else { return false }
        try await forget(removed)
        return true
    }

    /// Removes the files of removed pieces, and removes the pieces from the catalog of pieces.
    private func forget(_ ids: [PieceID]) async throws(EarshotError) {
        let (files, catalog) = (files, catalog)
        try await BlockingWork.run { () throws(EarshotError) in
            for id in ids { files.remove(id) }
            try catalog?.removePieces(ids.map(\.reference))
        }
        requestCleanup()
    }

    /// Runs a change of the catalog of pieces, and converts its errors.
    ///
    /// - Throws: Errors of the catalog; `internalError` for any other error.
    static func changing(_ body: () throws -> Void) throws(EarshotError) {
        do {
            try body()
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "The catalog of pieces could not be changed.", cause: error)
        }
    }

    /// Does the periodic maintenance: gives up old drafts, removes expired codes and orphaned folders, and trims the cache of this node.
    ///
    /// Each node does so without a lease: of two that remove the same draft, the store lets one succeed.
    func performMaintenance(at now: Date) async throws(EarshotError) {
        let files = files
        let limit = now.addingTimeInterval(-Self.draftLifetime)
        for id in try await store.drafts(begunBefore: limit) {
            // The draft may have been published meanwhile, so the condition is checked again in the same step.
            try await remove(id) { $0.state == .draft && $0.begun < limit }
        }
        try await store.removeCodes(expiredBy: now)
        // Folders are listed before pieces, and a piece is stored before its folder is made. So a folder without a piece is left from
        // the upload to a drop that was given up.
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

    /// Removes files that a killed process has left, when the service begins. Changes nothing in the store, which other nodes may be using.
    ///
    /// If there are files of pieces and the store never had a piece, the store was lost: the files are then put aside, not removed.
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
