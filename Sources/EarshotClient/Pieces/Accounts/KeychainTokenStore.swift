#if canImport(Security)
    public import EarshotCore
    import EarshotAPI
    import Foundation
    import Security

    /// Stores accounts in the keychain of an Apple system.
    public struct KeychainTokenStore: PieceTokenStore {
        private let service: String

        /// Creates a store.
        ///
        /// - Parameter service: The keychain service name of the app's entries.
        public init(service: String = "earshot.pieces") { self.service = service }

        /// Returns the stored account for an app and a service; `nil` if there is none.
        ///
        /// - Throws: `storeUnavailable` if the keychain entry cannot be read.
        public func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount? {
            let name = name(place)
            return try await BlockingWork.run { () throws(EarshotError) -> PieceAccount? in
                var query = entry(name)
                query[kSecReturnData] = true
                var found: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &found)
                if status == errSecItemNotFound { return nil }
                guard status == errSecSuccess, let data = found as? Data,
                    let account = try? JSONDecoder().decode(PieceAccount.self, from: data)
                else {
                    throw EarshotError(
                        .storeUnavailable,
                        "The user cannot be read from the keychain (status \(status)): log in again."
                    )
                }
                return account
            }
        }

        /// Stores an account in place of the previous one, or removes it if it is `nil`. It stays on this device, and
        /// is readable after the first unlock since the device was started.
        ///
        /// - Throws: `writeFailed` if the keychain cannot be changed.
        public func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError) {
            let name = name(place)
            try await BlockingWork.run { () throws(EarshotError) in
                var status = SecItemDelete(entry(name) as CFDictionary)
                if let account, let data = try? ServiceAPI.encoder().encode(account) {
                    var item = entry(name)
                    item[kSecValueData] = data
                    item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                    status = SecItemAdd(item as CFDictionary, nil)
                }
                guard status == errSecSuccess || (account == nil && status == errSecItemNotFound) else {
                    throw EarshotError(
                        .writeFailed,
                        "The user cannot be stored in the keychain (status \(status)): try again."
                    )
                }
            }
        }

        private func name(_ place: PieceTokenKey) -> String { "\(place.application)@\(place.service)" }

        private func entry(_ name: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name]
        }
    }
#endif
