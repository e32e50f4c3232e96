package import EarshotCore
package import EarshotPieces
package import EarshotRecognition
package import Foundation

/// Registers the apps that open pieces, for the operator. The service's routes and the command use it on the same stores.
package struct ApplicationRegister: Sendable {
    private let store: any PieceStore
    private let accounts: any AccountStore

    /// Creates a register over the stores of pieces and accounts.
    package init(_ store: any PieceStore, _ accounts: any AccountStore) {
        (self.store, self.accounts) = (store, accounts)
    }

    /// Stores an app, replacing the one with the same identifier.
    ///
    /// - Parameters:
    ///   - identifier: Letters, digits, plus, minus and full stops.
    ///   - name: The name to show to users.
    ///   - site: The web page of the app; `nil` if there is none.
    ///   - client: The id of the client that the app uses; `nil` to keep the present one.
    /// - Returns: The app.
    /// - Throws: `requestInvalid` for an invalid identifier, name or page, `entityNotFound` for an unknown client.
    @discardableResult
    package func put(
        _ identifier: String,
        name: String,
        site: URL?,
        client: String?
    ) async throws(EarshotError) -> PieceApplication {
        let scheme: PieceScheme
        do throws(EarshotError) {
            scheme = try PieceScheme(application: identifier)
        } catch {
            throw EarshotError(.requestInvalid, error.message)
        }
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw EarshotError(.requestInvalid, "The app's name does not have 1 to 100 characters: choose another.")
        }
        if let site {
            guard ["http", "https"].contains(site.scheme?.lowercased()), site.host() != nil else {
                throw EarshotError(
                    .requestInvalid,
                    "The app's page is no address of the web: give one such as https://app.example."
                )
            }
        }
        var known = client
        if known == nil { known = try await store.application(scheme.application)?.client }
        guard let known else {
            throw EarshotError(
                .requestInvalid,
                "The app names no client: make one with `earshot admin client add`, and name its id."
            )
        }
        _ = try await ClientRegister(accounts).client(known)
        let application = PieceApplication(id: scheme.application, name: name, site: site, client: known)
        try await store.put(application)
        return application
    }
}
