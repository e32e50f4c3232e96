package import EarshotCore
import EarshotMedia
package import EarshotSignatures
package import Foundation

/// Creates the signatures of uploaded media.
///
/// Uploads are untrusted, and media decoders are complex: a decoder must be able to crash without taking
/// the service along. Use ``ProcessDecoder`` in services, and ``InProcessDecoder`` in tests and trusted networks.
package protocol UploadDecoder: Sendable {
    /// Returns the signature of the media in an open file or a pipe.
    ///
    /// - Parameters:
    ///   - input: A descriptor to read from; it stays open.
    ///   - limit: The longest part to read, from the beginning; `nil` for all.
    /// - Throws: `assetUnreadable`, `noAudioStream`, `codecUnsupported`, `signatureInvalid`, `timedOut`, `cancelled`.
    func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature
}

/// Decodes uploads in the process of the service.
package struct InProcessDecoder: UploadDecoder {
    /// Creates a decoder.
    package init() {}

    /// Returns the signature of the media in an open file or a pipe.
    package func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
        try await Self.signature(descriptor: input.fileDescriptor, limit: limit)
    }

    static func signature(descriptor: Int32, limit: MediaTime?) async throws(EarshotError) -> Signature {
        guard let url = URL(string: "pipe:\(descriptor)") else {
            throw EarshotError(.internalError, "The upload could not be opened.")
        }
        var options = AssetReader.Options()
        if let limit { options.range = .zero..<limit }
        do {
            let reader = try await AssetReader(url, options: options)
            return try await SignatureGenerator.signature(from: reader)
        } catch let error as EarshotError {
            throw EarshotError(error.code, Self.named(error.message, descriptor), cause: error.cause)
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Decoding the upload was canceled.")
        } catch {
            throw EarshotError(.internalError, "The upload could not be decoded.", cause: error)
        }
    }

    /// Returns a message in which the upload stands for the pipe, which means nothing to the sender.
    private static func named(_ message: String, _ descriptor: Int32) -> String {
        message.replacing("pipe:\(descriptor)", with: "The upload").replacing("standard input", with: "the upload")
    }
}
