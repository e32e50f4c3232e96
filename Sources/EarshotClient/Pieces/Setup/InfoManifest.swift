package import Foundation

/// The manifest of an app on an Apple system: its `Info.plist`.
package struct InfoManifest: AppManifest {
    private let schemes: Set<String>
    /// The permissions that need a usage text and have none in the `Info.plist`.
    package let missingPermissionTexts: [AppPermission]

    /// Creates a manifest from the contents of an `Info.plist`.
    ///
    /// - Parameters:
    ///   - info: The entries of the `Info.plist`.
    ///   - permissions: The permissions that need a usage text on this system.
    public init(_ info: [String: Any], permissions: [AppPermission] = AppPermission.allCases) {
        let types = info["CFBundleURLTypes"] as? [[String: Any]] ?? []
        schemes = Set(types.flatMap { ($0["CFBundleURLSchemes"] as? [String] ?? []).map { $0.lowercased() } })
        missingPermissionTexts = permissions.filter {
            (info[$0.rawValue] as? String)?.allSatisfy(\.isWhitespace) ?? true
        }
    }

    /// Creates a manifest from the bytes of an `Info.plist`, as XML or binary; `nil` if the bytes are not one.
    public init?(data: Data) {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let info = list as? [String: Any]
        else { return nil }
        self.init(info)
    }

    /// Returns `true` if the scheme is one of `CFBundleURLSchemes`.
    package func opens(scheme: String) -> Bool { schemes.contains(scheme.lowercased()) }
}
