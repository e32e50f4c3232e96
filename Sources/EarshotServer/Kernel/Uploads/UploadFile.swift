import EarshotCore
import Foundation
import NIOCore

/// The body of a request in an unlinked temporary file, which is removed with its descriptor.
final class UploadFile {
    let handle: FileHandle
    private(set) var size = 0
    /// The first bytes, to detect the type.
    private(set) var head: [UInt8] = []

    /// Creates an empty file.
    ///
    /// - Parameter folder: The folder on whose disk the file is created.
    /// - Throws: `writeFailed`.
    init(in folder: URL) throws(EarshotError) {
        let path = folder.appendingPathComponent("upload-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(
                .writeFailed,
                "The service could not store the upload: there may be no room left on its disk."
            )
        }
        unlink(path)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Adds bytes.
    ///
    /// - Throws: `uploadTooLarge`, `writeFailed`.
    func append(_ bytes: some Collection<UInt8>, limit: Int) throws(EarshotError) {
        guard size + bytes.count <= limit else { throw Self.tooLarge(limit) }
        if head.count < 64 { head.append(contentsOf: bytes.prefix(64 - head.count)) }
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw EarshotError(
                .writeFailed,
                "The service could not store the upload: there may be no room left on its disk.",
                cause: error
            )
        }
        size += bytes.count
    }

    /// Rewinds to the beginning, for reading.
    func rewind() throws(EarshotError) {
        do {
            try handle.seek(toOffset: 0)
        } catch {
            throw EarshotError(.internalError, "An upload could not be read.", cause: error)
        }
    }

    /// Returns the whole content.
    func contents() throws(EarshotError) -> Data {
        try rewind()
        do {
            return try handle.readToEnd() ?? Data()
        } catch {
            throw EarshotError(.internalError, "An upload could not be read.", cause: error)
        }
    }

    static func tooLarge(_ limit: Int) -> EarshotError {
        EarshotError(
            .uploadTooLarge,
            "The upload has more than the \(limit >> 20) MiB that are allowed: send a shorter recording, or its signature."
        )
    }
}
