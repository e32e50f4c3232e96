/// The parts of an app's manifest that the client checks: the addresses that open the app, and its texts for
/// permissions.
public protocol AppManifest: Sendable {
    /// Returns `true` if the system opens the app with addresses of a scheme.
    ///
    /// - Parameter scheme: The scheme in lower case, such as `piece-sketcher`.
    func opens(scheme: String) -> Bool
    /// The rights that editing a cover takes, and for which the app gives no text. An app that asks for one of these is ended by its
    /// system.
    var missingPermissionTexts: [AppPermission] { get }
}

/// A right that a system asks its user for, with a text of the app.
public enum AppPermission: String, Hashable, Sendable, CaseIterable {
    /// To take a picture.
    case camera = "NSCameraUsageDescription"
    /// To choose a picture.
    case photoLibrary = "NSPhotoLibraryUsageDescription"
}

/// For a program that nothing opens with an address, such as a command or a server: nothing has to be registered.
package struct NoManifest: AppManifest {
    /// A manifest of nothing.
    package init() {}

    /// True: nothing is asked of the system.
    package func opens(scheme: String) -> Bool { true }
    /// None.
    package var missingPermissionTexts: [AppPermission] { [] }
}
