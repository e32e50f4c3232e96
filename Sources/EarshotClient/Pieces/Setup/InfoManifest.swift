package import Foundation

/// The `Info.plist` of an app on an Apple system.
package struct InfoManifest: AppManifest {
    private let schemes: Set<String>
    /// The rights for which there is no text.
    package let missingPermissionTexts: [AppPermission]

    /// The contents of an `Info.plist`.
    ///
    /// - Parameters:
    ///   - info: Its entries.
    ///   - permissions: The rights that need a text on this system.
    public init(_ info: [String: Any], permissions: [AppPermission] = AppPermission.allCases) {
        let types = info["CFBundleURLTypes"] as? [[String: Any]] ?? []
        schemes = Set(types.flatMap { ($0["CFBundleURLSchemes"] as? [String] ?? []).map { $0.lowercased() } })
        missingPermissionTexts = permissions.filter {
            (info[$0.rawValue] as? String)?.allSatisfy(\.isWhitespace) ?? true
        }
    }

    /// Reads an `Info.plist`, as XML or binary; `nil` if the bytes are not one.
    public init?(data: Data) {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let info = list as? [String: Any]
        else { return nil }
        self.init(info)
    }

    /// Returns `true` if the scheme is one of `CFBundleURLSchemes`.
    package func opens(scheme: String) -> Bool { schemes.contains(scheme.lowercased()) }
}
