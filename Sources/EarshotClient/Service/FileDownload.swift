public import Foundation

/// The bytes of a file that a service offers, in chunks as they arrive.
///
/// A lost connection is reopened at the next byte. The options of the service limit the attempts in succession.
public struct FileDownload: AsyncSequence, Sendable {
    let service: HTTPRecognitionService
    let path: String
    let name: String
    let offset: Int

    /// Starts the download, and returns an iterator over its chunks. No request is made before the first chunk is read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            bytes: BundleDownload.Iterator(
                service: service,
                path: path,
                changed: "\(name) is another file by now: fetch it again.",
                offset: offset,
                tag: nil
            )
        )
    }

    /// The chunks of one download.
    public struct Iterator: AsyncIteratorProtocol {
        var bytes: BundleDownload.Iterator

        /// Waits for the next chunk; `nil` at the end of the file.
        ///
        /// - Throws: `entityNotFound`, `downloadFailed` if the service offers different bytes meanwhile, and the error
        ///   of the last attempt.
        public mutating func next() async throws -> Data? { try await bytes.next() }

        /// Waits for the next chunk; `nil` at the end of the file.
        ///
        /// - Throws: The errors of ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            try await bytes.next(isolation: actor)
        }
    }
}
