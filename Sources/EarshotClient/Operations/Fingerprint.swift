public import EarshotCore
public import EarshotRecognition
public import EarshotSignatures
import Foundation

/// The signature of a recording with its kind, convertible to text that an app can store and search for later.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The signature of the recording.
    public let signature: Signature
    /// The position in a track at which the recording may begin: anywhere, or with the track.
    public let kind: RecognitionQuery.Kind

    /// Creates a fingerprint from a signature.
    public init(_ signature: Signature, kind: RecognitionQuery.Kind = .stream) {
        self.signature = signature
        self.kind = kind
    }

    /// Decodes a fingerprint from its ``text``.
    ///
    /// - Throws: `signatureInvalid` if the text is not a fingerprint.
    public init(text: String) throws(EarshotError) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = RecognitionQuery.Kind(rawValue: String(parts[0])),
            let data = Data(base64Encoded: String(parts[1]))
        else {
            throw EarshotError(.signatureInvalid, "This text is no fingerprint: make one from the recording.")
        }
        self.kind = kind
        signature = try Signature(data: data)
    }

    /// The fingerprint as text: the kind, a colon, and the bytes of the signature in Base64.
    public var text: String { "\(kind.rawValue):\(signature.data.base64EncodedString())" }
    /// The kind and the duration, for logs.
    public var description: String { "\(kind.rawValue) fingerprint of \(signature.duration.label)" }
}
