package import EarshotCore
package import Foundation

/// A bucket of an object store that speaks S3's protocol, and what lets the service in.
package struct S3Settings: Sendable, CustomStringConvertible, CustomReflectable {
    /// The address of the store, without the bucket.
    package let endpoint: URL
    /// The bucket.
    package let bucket: String
    /// The text before the keys; empty, or ending in a slash.
    package let prefix: String
    /// The region that requests are signed for.
    package let region: String
    let accessKey: String
    let secretKey: String

    /// A bucket by its address.
    ///
    /// - Parameters:
    ///   - address: The address of the store with the bucket behind it, and a prefix behind that where one is wanted:
    ///     `https://objects.example/bucket/prefix`.
    ///   - region: The region that requests are signed for.
    ///   - accessKey: The access key.
    ///   - secretKey: The secret key that belongs to it.
    /// - Throws: `configurationInvalid`.
    package init(
        address: String,
        region: String = "us-east-1",
        accessKey: String?,
        secretKey: String?
    ) throws(EarshotError) {
        guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else {
            throw EarshotError(
                .configurationInvalid,
                "\(address.prefix(120)) is no address of a bucket: write https://HOST/BUCKET or https://HOST/BUCKET/PREFIX."
            )
        }
        let names = parts.path.split(separator: "/").map(String.init)
        let isPlain = names.allSatisfy { name in
            name != "." && name != ".." && name.utf8.allSatisfy { AWSSignature.isUnreserved($0) }
        }
        guard let bucket = names.first, isPlain else {
            throw EarshotError(
                .configurationInvalid,
                "\(address.prefix(120)) names no bucket: write https://HOST/BUCKET, of letters, digits, hyphens and dots."
            )
        }
        guard let accessKey, let secretKey, !accessKey.isEmpty, !secretKey.isEmpty else {
            throw EarshotError(
                .configurationInvalid,
                "The bucket \(bucket) needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            )
        }
        var endpoint = URLComponents()
        // Clients do not send the default port of the scheme, so it must not be signed.
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : $0 }
        (endpoint.scheme, endpoint.host, endpoint.port) = (scheme, host, port)
        guard let url = endpoint.url else {
            throw EarshotError(
                .configurationInvalid,
                "\(address.prefix(120)) is no address of a bucket: write https://HOST/BUCKET."
            )
        }
        self.endpoint = url
        self.bucket = bucket
        prefix = names.dropFirst().map { $0 + "/" }.joined()
        self.region = region
        self.accessKey = accessKey
        self.secretKey = secretKey
    }

    /// A bucket by its address. The keys are in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, as other programs have them.
    ///
    /// - Throws: `configurationInvalid`.
    package init(address: String, region: String?, environment: [String: String]) throws(EarshotError) {
        try self.init(
            address: address,
            region: region ?? "us-east-1",
            accessKey: environment["AWS_ACCESS_KEY_ID"],
            secretKey: environment["AWS_SECRET_ACCESS_KEY"]
        )
    }

    /// The address; never the keys.
    package var description: String { "\(endpoint.absoluteString)/\(bucket)/\(prefix)" }

    /// The address as ``description`` has it; never the keys.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
