package import EarshotCatalogs
package import EarshotCore
package import Foundation
import Synchronization

/// Fetches a catalog file to a place on the disk: only when it has changed, from where an earlier attempt ended, and only
/// when it is what its publisher promised.
///
/// Beside the file stand, while they are needed, the part with `.partial` and what is known with `.download` behind its
/// name.
package struct CatalogDownload: Sendable {
    /// The result of a download.
    package enum Outcome: Sendable {
        /// The local catalog is that of the server.
        case unchanged(Catalog)
        /// A new state has taken its place.
        case fetched(Catalog)
    }

    let address: RemoteAddress
    let destination: URL
    let sizeLimit: Int64
    let key: PublisherKey?
    let transport: any CatalogTransport
    let progress: (@Sendable (Int64, Int64?) -> Void)?

    private var partialURL: URL { destination.appendingPathExtension("partial") }
    private var recordURL: URL { destination.appendingPathExtension("download") }

    /// A download.
    ///
    /// - Parameters:
    ///   - source: The address, http or https.
    ///   - destination: The place of the file.
    ///   - sizeLimit: The most bytes it may have.
    ///   - key: The key that it must be signed with.
    ///   - progress: Told the bytes there are, and of how many where that is known.
    /// - Throws: `downloadFailed` when the address is of another kind.
    package init(
        _ source: URL,
        to destination: URL,
        sizeLimit: Int64,
        key: PublisherKey?,
        transport: any CatalogTransport,
        progress: (@Sendable (Int64, Int64?) -> Void)? = nil
    ) throws(EarshotError) {
        address = try RemoteAddress(source)
        self.destination = destination
        self.sizeLimit = sizeLimit
        self.key = key
        self.transport = transport
        self.progress = progress
    }

    /// The catalog that an earlier download has left, or nothing: where there is none, it cannot be opened, or it was not
    /// checked with the same key.
    package func earlier() -> Catalog? { earlier(DownloadRecord.load(recordURL, address: address.label))?.catalog }

    /// `true` if what is at the destination came from this address, whatever key it was checked with.
    package var knowsDestination: Bool {
        entry(DownloadRecord.load(recordURL, address: address.label)) != nil
    }

    /// Takes what is at the destination, from elsewhere, for an earlier state of what is at the address.
    ///
    /// - Throws: Errors of opening it, and `writeFailed`.
    package func adopt() throws(EarshotError) {
        var record = DownloadRecord(address: address.label)
        record.finished = [
            DownloadRecord.Finished(
                validator: DownloadRecord.Validator(TransportResponse(status: 200, headers: [:])),
                size: size,
                version: try Catalog(contentsOf: destination).identity.version,
                sha256: try ContentDigest(ofFileAt: destination).hexadecimal
            )
        ]
        try record.write(to: recordURL)
    }

    private var size: Int64 {
        var status = stat()
        return stat(destination.path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private func entry(_ record: DownloadRecord) -> (catalog: Catalog, entry: DownloadRecord.Finished)? {
        guard !record.finished.isEmpty, let catalog = try? Catalog(contentsOf: destination) else { return nil }
        let size = size
        let entry = record.finished.first { $0.version == catalog.identity.version && $0.size == size }
        return entry.map { (catalog, $0) }
    }

    private func earlier(_ record: DownloadRecord) -> (catalog: Catalog, entry: DownloadRecord.Finished)? {
        guard let found = entry(record), key == nil || found.entry.key == key?.description else { return nil }
        return found
    }

    /// Fetches the catalog once.
    ///
    /// - Throws: `downloadFailed`, after which another call goes on where this one ended; `verificationFailed`, after
    ///   which nothing of it is left; `writeFailed`; `cancelled`. What was there before is there still.
    package func run() async throws(EarshotError) -> Outcome {
        let file = try PartialFile(partialURL)
        defer {
            // Of an attempt that brought nothing, nothing stays.
            if file.size == 0 { file.remove() }
            file.close()
        }
        var record = DownloadRecord.load(recordURL, address: address.label)
        let earlier = earlier(record)
        let validator: DownloadRecord.Validator
        switch try await transfer(to: file, &record, known: earlier?.entry.validator) {
        case .complete(let state): validator = state
        case .unchanged:
            file.remove()
            guard let earlier else { throw PartialReceiver.refused(address.label, status: 304) }
            return .unchanged(earlier.catalog)
        case .rangeRefused: throw PartialReceiver.refused(address.label, status: 416)
        }
        do throws(EarshotError) {
            let sha256 = try await text(".sha256")
            let signature = try await text(".sig", isWanted: key != nil)
            let entry = try await BlockingWork.run { [self] () throws(EarshotError) in
                try check(file, sha256: sha256, signature: signature, validator)
            }
            return .fetched(try install(file, entry, record))
        } catch {
            if error.code == .verificationFailed { file.remove() }
            throw error
        }
    }

    // MARK: - Steps

    /// Brings the bytes into the part, going on where it ends.
    private func transfer(
        to file: PartialFile,
        _ record: inout DownloadRecord,
        known: DownloadRecord.Validator?
    ) async throws(EarshotError) -> PartialReceiver.Outcome {
        let shared = Mutex(record)
        defer { record = shared.withLock { $0 } }
        while true {
            var headers = known?.conditions ?? [:]
            var offset: Int64 = 0
            if let range = shared.withLock({ $0.partial?.range }), file.size > 0 {
                offset = file.size
                headers["Range"] = "bytes=\(offset)-"
                headers["If-Range"] = range
            }
            let recordURL = recordURL
            let receiver = PartialReceiver(
                file,
                offset: offset,
                limit: sizeLimit,
                label: address.label,
                willWrite: { validator throws(EarshotError) in
                    // Before the first byte, so that a part never stands beside what is said of another.
                    let record = shared.withLock { record in
                        record.partial = validator
                        return record
                    }
                    try record.write(to: recordURL)
                },
                progress: progress
            )
            try await send(TransportRequest(url: address.url, headers: headers), to: receiver)
            let outcome = try receiver.outcome()
            guard case .rangeRefused = outcome else { return outcome }
            try file.truncate(to: 0)
        }
    }

    private func send(_ request: TransportRequest, to receiver: any TransportReceiver) async throws(EarshotError) {
        do {
            try await transport.fetch(request, to: receiver)
        } catch let error as EarshotError {
            throw error
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Fetching \(address.label) was canceled.")
        } catch {
            if Task.isCancelled { throw EarshotError(.cancelled, "Fetching \(address.label) was canceled.") }
            throw EarshotError(
                .downloadFailed,
                "\(address.label) could not be fetched to its end: check the address and the network, and try again; it "
                    + "goes on where it stopped.",
                cause: error
            )
        }
    }

    /// The text of a file beside the catalog, or nothing where the publisher has none.
    private func text(_ suffix: String, isWanted: Bool = true) async throws(EarshotError) -> String? {
        guard isWanted else { return nil }
        let receiver = TextReceiver()
        try await send(TransportRequest(url: address.beside(suffix)), to: receiver)
        switch receiver.status {
        case 200: return receiver.text
        case 404, 410: return nil
        default: throw PartialReceiver.refused(address.label + suffix, status: receiver.status)
        }
    }

    private func check(
        _ file: PartialFile,
        sha256: String?,
        signature: String?,
        _ validator: DownloadRecord.Validator
    ) throws(EarshotError) -> DownloadRecord.Finished {
        let digest = try ContentDigest(ofFileAt: file.url)
        if let sha256, ContentDigest(text: sha256) != digest {
            throw EarshotError(
                .verificationFailed,
                "\(address.label) does not have the SHA-256 that its publisher gives: try again later, or get it from the "
                    + "publisher."
            )
        }
        if let key {
            guard let signature else {
                throw EarshotError(
                    .verificationFailed,
                    "\(address.label) has no signature beside it: ask its publisher for one."
                )
            }
            try key.verify(digest, signature: signature, name: address.label)
        }
        let version: String
        do throws(EarshotError) {
            let catalog = try Catalog(contentsOf: file.url)
            try catalog.verify()
            version = catalog.identity.version
        } catch {
            throw EarshotError(
                .verificationFailed,
                "\(address.label) is not a catalog that can be used: get it from its publisher.",
                cause: error
            )
        }
        return DownloadRecord.Finished(
            validator: validator,
            size: file.size,
            version: version,
            sha256: digest.hexadecimal,
            key: key?.description
        )
    }

    private func install(
        _ file: PartialFile,
        _ entry: DownloadRecord.Finished,
        _ record: DownloadRecord
    ) throws(EarshotError) -> Catalog {
        var record = record
        record.partial = nil
        // Before and after, so that a process lost in between leaves a record of whichever file is there.
        record.finished = [entry] + record.finished.prefix(1)
        try record.write(to: recordURL)
        try file.take(name: destination)
        record.finished = [entry]
        try record.write(to: recordURL)
        return try Catalog(contentsOf: destination)
    }
}
