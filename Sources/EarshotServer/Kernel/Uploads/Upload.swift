import EarshotAPI
import EarshotCore
import EarshotSignatures
import Foundation

/// The content of an upload request: the signature of the recording, and the other fields of the form.
struct Upload: Sendable {
    /// The signature.
    var signature: Signature
    /// Fields of a multipart upload.
    var fields: [(name: String, value: String)] = []

    /// The accepted content types, with their schemas.
    static let body: Endpoint.Body = [
        ServiceAPI.signatureType: ["type": "string", "format": "binary"],
        "application/octet-stream": ["type": "string", "format": "binary"],
        "audio/*": ["type": "string", "format": "binary"],
        "video/*": ["type": "string", "format": "binary"],
        "multipart/form-data": [
            "type": "object",
            "properties": ["sample": ["type": "string", "format": "binary"]],
            "required": ["sample"],
        ],
    ]
}
