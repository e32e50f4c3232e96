import EarshotCore
import Foundation

/// The address of a catalog, http or https.
struct RemoteAddress: Hashable, Sendable {
    let url: URL
    /// The address for messages and records: without user, password and query, which may be secret.
    let label: String
    /// The same as an address.
    let shown: URL

    /// - Throws: `downloadFailed` for anything but http and https.
    init(_ url: URL) throws(EarshotError) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            url.host?.isEmpty == false, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            let name = url.scheme.map { "of the kind \"\($0)\"" } ?? "without a kind"
            throw EarshotError(
                .downloadFailed,
                "An address \(name) cannot be fetched: write one that begins with https:// or http://, and a host."
            )
        }
        self.url = url
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        shown = parts.url ?? url
        label = parts.string ?? "\(scheme)://…"
    }

    /// The address of a file beside it: the same with a suffix behind the path.
    func beside(_ suffix: String) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        parts.percentEncodedPath += suffix
        return parts.url ?? url
    }
}
