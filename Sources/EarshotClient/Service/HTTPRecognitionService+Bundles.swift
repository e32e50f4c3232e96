public import EarshotAPI
public import EarshotCore
public import Foundation
import NIOHTTP1

extension HTTPRecognitionService {
    /// Fetches the list of bundles that the service offers.
    ///
    /// - Throws: The errors of a request.
    public func bundles() async throws(EarshotError) -> [BundleDescription] {
        try value(BundleList.self, try await authorized(HTTPCall(.GET, path: "bundles"))).bundles
    }

    /// Returns the bytes of a bundle as an asynchronous sequence. No request is made before the first chunk is read.
    ///
    /// ```swift
    /// try await store.ingest(StreamBundleSource(service.bundle("adverts")))
    /// ```
    ///
    /// A lost connection is reopened at the next byte, as long as the service offers the same bytes.
    ///
    /// - Parameters:
    ///   - id: The identifier of the bundle.
    ///   - offset: The offset of the first byte.
    ///   - tag: The `sha256` of the bundle that earlier bytes came from; the download fails if it has changed. `nil`
    ///     for no check.
    public func bundle(_ id: String, from offset: Int = 0, tag: String? = nil) -> BundleDownload {
        BundleDownload(service: self, id: id, offset: offset, tag: tag)
    }

    /// Downloads a bundle into a file. An interrupted download resumes, even in another process.
    ///
    /// - Parameters:
    ///   - id: The identifier of the bundle.
    ///   - url: The file. An existing file is replaced when the download is complete, unless it is the same bundle.
    ///   - progress: Called with the number of downloaded bytes, and the total number of bytes.
    /// - Returns: The description of the downloaded bundle.
    /// - Throws: `entityNotFound`, `downloadFailed` if the service offers different bytes meanwhile, `writeFailed`, and
    ///   the errors of a request.
    @discardableResult
    public func download(
        _ id: String,
        to url: URL,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws(EarshotError) -> BundleDescription {
        guard let record = try await bundles().first(where: { $0.id == id }) else {
            throw EarshotError(.entityNotFound, "\(base) offers no bundle \(id.prefix(120)): list those that it does.")
        }
        guard !PartialBundle.isWhole(url, record) else {
            progress(record.size, record.size)
            return record
        }
        let file = try PartialBundle(of: url, record)
        var size = file.size
        progress(size, record.size)
        if size < record.size {
            do {
                for try await part in bundle(id, from: size, tag: record.sha256) {
                    try file.write(part)
                    size = file.size
                    progress(size, record.size)
                }
            } catch let error as EarshotError {
                throw error
            } catch {
                throw EarshotError(.cancelled, "The download was canceled.", cause: error)
            }
        }
        try file.finish()
        return record
    }
}
