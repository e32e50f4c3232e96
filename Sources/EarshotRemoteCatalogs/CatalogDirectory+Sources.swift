import EarshotCatalogs
public import EarshotCore
public import Foundation

extension CatalogDirectory {
    /// The most bytes of the file of a directory that is fetched: 8 MiB.
    private static let sizeLimit = 8 << 20

    /// Looks through a folder for catalog files, with the signatures beside them. Folders in it are left out.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - key: The public half of the publisher's key, which becomes the ``Entry/signer`` of what is signed.
    /// - Throws: `assetNotFound` if there is no such folder; what opening a catalog throws; `readFailed`; with a key
    ///   `verificationFailed` if a signature is another's or of another content.
    public init(folder: URL, key: PublisherKey? = nil) throws(EarshotError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw EarshotError(.assetNotFound, "There is no readable folder at \(folder.path): check the path.")
        }
        var entries: [Entry] = []
        for name in names.sorted() where name.hasSuffix(".earcat") && !name.hasPrefix(".") {
            entries.append(try Self.entry(folder.appendingPathComponent(name), key))
        }
        self.init(entries)
    }

    private static func entry(_ file: URL, _ key: PublisherKey?) throws(EarshotError) -> Entry {
        let summary = try Catalog(contentsOf: file).summary()
        let digest = try ContentDigest(ofFileAt: file)
        let signature = (try? String(contentsOf: file.appendingPathExtension("sig"), encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if let key, let signature { try key.verify(digest, signature: signature, name: file.path) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let date = (attributes?[.modificationDate] as? Date ?? .distantPast).timeIntervalSince1970.rounded(.down)
        return Entry(
            file: file.lastPathComponent,
            references: summary.references,
            duration: summary.duration,
            size: Int64(attributes?[.size] as? Int ?? 0),
            date: Date(timeIntervalSince1970: date),
            sha256: digest.hexadecimal,
            signature: signature,
            signer: signature == nil ? nil : key
        )
    }

    /// Writes the file of the directory into a folder, in place of an earlier one.
    ///
    /// - Throws: `writeFailed`, `internalError`.
    public func write(to folder: URL) throws(EarshotError) {
        try AtomicFile.write(Array(try data()), to: folder.appendingPathComponent(Self.fileName), replacing: true)
    }

    /// Fetches a directory.
    ///
    /// - Parameters:
    ///   - address: The address of the file, which ends in `.json`, or of its folder; http or https.
    ///   - transport: Transfers the file.
    /// - Throws: `downloadFailed`, `verificationFailed`, `cancelled`.
    public static func fetch(
        _ address: URL,
        transport: any CatalogTransport
    ) async throws(EarshotError) -> CatalogDirectory {
        let remote = try RemoteAddress(file(at: address))
        let receiver = TextReceiver(limit: sizeLimit)
        do {
            try await transport.fetch(TransportRequest(url: remote.url), to: receiver)
        } catch {
            if error is CancellationError || Task.isCancelled {
                throw EarshotError(.cancelled, "Fetching \(remote.label) was canceled.")
            }
            throw EarshotError(
                .downloadFailed,
                "\(remote.label) could not be fetched: check the address and the network, and try again.",
                cause: error
            )
        }
        guard receiver.status == 200 else { throw PartialReceiver.refused(remote.label, status: receiver.status) }
        return try CatalogDirectory(data: receiver.bytes)
    }
}
