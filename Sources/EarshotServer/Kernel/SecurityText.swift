package import EarshotCore
import Foundation

/// The contents of `security.txt` (RFC 9116), which names contacts for reports of vulnerabilities.
package struct SecurityText: Hashable, Sendable {
    static let path = "/.well-known/security.txt"
    /// The schemes of addresses that RFC 9116 names.
    private static let schemes: Set<String> = ["https", "mailto", "tel"]
    /// The time for which a copy is current, in seconds: 30 days.
    private static let lifetime = 30.0 * 86_400

    /// The addresses to report to, the best first.
    let contacts: [String]

    /// Creates the contents with contact addresses.
    ///
    /// - Parameter contacts: Addresses such as `mailto:security@music.example`, the best first.
    /// - Throws: `configurationInvalid` if there is no address, or one is incomplete or of another scheme.
    package init(contacts: [String]) throws(EarshotError) {
        for text in contacts {
            // Printable ASCII only: a line feed would begin another field of the file.
            let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.utf8.count <= 400
            let scheme = text.prefix { $0 != ":" }.lowercased()
            guard isPlain, Self.schemes.contains(scheme), let url = URL(string: text),
                scheme == "https" ? url.host()?.isEmpty == false : text.utf8.count > scheme.utf8.count + 1
            else {
                throw EarshotError(
                    .configurationInvalid,
                    "The setting securityContact has \"\(text.prefix(60))\": give addresses such as mailto:security@music.example or https://music.example/security."
                )
            }
        }
        guard !contacts.isEmpty else {
            throw EarshotError(.configurationInvalid, "The setting securityContact has no address: give one.")
        }
        self.contacts = contacts
    }

    /// Returns the content of the file.
    ///
    /// - Parameters:
    ///   - publicURL: The address of the service; `nil` if it is not set.
    ///   - now: The time.
    func text(publicURL: String?, at now: Date) -> String {
        var lines = contacts.map { "Contact: \($0)" }
        lines.append("Expires: \(now.addingTimeInterval(Self.lifetime).ISO8601Format())")
        if let publicURL, publicURL.hasPrefix("https://") {
            let base = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
            lines.append("Canonical: \(base)\(Self.path)")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
