public import Foundation

/// The bytes of a file of a service, in pieces as they come.
///
/// A connection that breaks off is made again where it was, as often as the service's options say; each piece that comes
/// begins the counting anew.
public struct FileDownload: AsyncSequence, Sendable {
    let service: HTTPRecognitionService
    let path: String
    let name: String
    let offset: Int

    /// Begins the download.
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

    /// The pieces of one download.
    public struct Iterator: AsyncIteratorProtocol {
        var bytes: BundleDownload.Iterator

        /// The next piece.
        ///
        /// - Throws: `entityNotFound`, `downloadFailed` when the service offers other bytes meanwhile, and what a request
        ///   throws that was made often enough.
        public mutating func next() async throws -> Data? { try await bytes.next() }

        /// The next piece.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            try await bytes.next(isolation: actor)
        }
    }
}
