public import EarshotCore
public import EarshotRecognition
public import EarshotSignatures
import Foundation

/// A recording reduced to what finds it again, as text that an app can keep and search for later.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The signature.
    public let signature: Signature
    /// The position in a track at which the recording may begin: anywhere, or with the track.
    public let kind: RecognitionQuery.Kind

    /// A fingerprint.
    public init(_ signature: Signature, kind: RecognitionQuery.Kind = .stream) {
        self.signature = signature
        self.kind = kind
    }

    /// A fingerprint of its text.
    ///
    /// - Throws: `signatureInvalid` if the data is not a signature.
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

    /// The text: the kind, a colon, the bytes of the signature in Base64.
    public var text: String { "\(kind.rawValue):\(signature.data.base64EncodedString())" }
    /// The kind and the length.
    public var description: String { "\(kind.rawValue) fingerprint of \(signature.duration.label)" }
}
