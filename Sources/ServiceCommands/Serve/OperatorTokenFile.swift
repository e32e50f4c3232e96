import EarshotCore
import Foundation

/// The file in which the operator finds the first token: what a service prints is kept by logs of systems and containers.
struct OperatorTokenFile {
    static let name = "operator-token"

    private let url: URL

    /// - Parameter folder: The service's folder.
    init(in folder: URL) {
        url = folder.appendingPathComponent(Self.name)
    }

    var path: String { url.path }

    /// Keeps a token so that its owner alone may read it.
    ///
    /// - Throws: `writeFailed`.
    func write(_ token: String) throws(EarshotError) {
        try AtomicFile.write([UInt8]("\(token)\n".utf8), to: url, replacing: true, mode: 0o600)
    }

    /// Removes a token that is worth nothing any more.
    func remove() { unlink(url.path) }
}
