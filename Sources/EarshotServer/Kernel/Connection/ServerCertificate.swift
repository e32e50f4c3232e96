import Crypto
import EarshotCore
import Foundation
import Logging
import NIOSSL
import Synchronization

/// The certificate of the service and its private key, whose files may be replaced while the service runs. Open connections keep the
/// certificate with which they began.
///
/// The reloader of swift-nio-extras is not used, because it reads keys with a library that refuses files beginning with `EC PARAMETERS`.
final class ServerCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        /// The digests of the files that were last tried, with success or not.
        var tried: [SHA256Digest]
        /// The digests of the files when they were last read.
        var seen: [SHA256Digest]
    }

    /// The bytes of both files; empty for one that cannot be read.
    private struct Files {
        let certificate: [UInt8]
        let key: [UInt8]

        var digests: [SHA256Digest] { [SHA256.hash(data: certificate), SHA256.hash(data: key)] }
    }

    /// The most bytes that are read of a file.
    private static let largest = 1 << 20

    private let certificateFile: URL
    private let keyFile: URL
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - certificateFile: The path of a certificate chain in PEM form.
    ///   - keyFile: The path of its private key in PEM form.
    /// - Throws: `configurationInvalid`.
    init(_ certificateFile: String, key keyFile: String, logger: Logger) throws(EarshotError) {
        (self.certificateFile, self.keyFile) = (URL(fileURLWithPath: certificateFile), URL(fileURLWithPath: keyFile))
        self.logger = logger
        let files = Self.read(self.certificateFile, self.keyFile)
        do {
            state = Mutex(State(context: try Self.context(files), tried: files.digests, seen: files.digests))
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "The certificate \(certificateFile) with the key \(keyFile) cannot be used: both are to be PEM files that belong together.",
                cause: error
            )
        }
    }

    /// The TLS context for new connections.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files, and uses a changed certificate for new connections. Blocks.
    ///
    /// Changed files are used when two reads find the same: while a pair is being replaced, one file is new before the other.
    func reload() {
        let files = Self.read(certificateFile, keyFile)
        let digests = files.digests
        let isDue = state.withLock { state in
            guard digests == state.seen, digests != state.tried else {
                state.seen = digests
                return false
            }
            state.tried = digests
            return true
        }
        guard isDue else { return }
        do {
            let context = try Self.context(files)
            state.withLock { $0.context = context }
            logger.info("The new certificate is used")
        } catch {
            logger.warning(
                "The new certificate cannot be used, and the old one stays: the files of certificate and privateKey are to be PEM that belongs together",
                metadata: ["reason": "\(error)"]
            )
        }
    }

    private static func read(_ certificateFile: URL, _ keyFile: URL) -> Files {
        func bytes(_ file: URL) -> [UInt8] {
            guard let handle = try? FileHandle(forReadingFrom: file) else { return [] }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: largest)).map { Array($0) } ?? []
        }
        return Files(certificate: bytes(certificateFile), key: bytes(keyFile))
    }

    private static func context(_ files: Files) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(files.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: files.key, format: .pem))
        )
        tls.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: tls)
    }
}
