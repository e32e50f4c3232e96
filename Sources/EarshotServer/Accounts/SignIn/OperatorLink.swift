package import EarshotCore
package import EarshotRecognition
package import Foundation

/// Links with which the operator signs in at a browser, each valid once.
package struct OperatorLink: Sendable {
    /// The name of the store's value with the address at which the service is reached.
    private static let addressName = "web-address"

    private let accounts: any AccountStore

    /// Creates links for the service that uses an account store.
    package init(_ accounts: any AccountStore) {
        self.accounts = accounts
    }

    /// Stores the address at which the service is reached.
    ///
    /// - Parameter address: The address, such as `http://127.0.0.1:8080`.
    package func noteAddress(_ address: String) async throws(EarshotError) {
        try await accounts.setValue(Data(address.utf8), for: Self.addressName)
    }

    /// Creates a link, which is valid once and for 15 minutes.
    ///
    /// - Throws: `entityNotFound` if no service has run on this store yet.
    package func make(at now: Date) async throws(EarshotError) -> String {
        guard let address = try await accounts.value(Self.addressName) else {
            throw EarshotError(
                .entityNotFound,
                "No service has run in this folder yet: start one with `earshot serve`."
            )
        }
        let key = try await WebSessions(accounts: accounts).makeLink(at: now)
        return String(decoding: address, as: UTF8.self) + "/sign-in/link?key=\(key)"
    }
}
