/// The parts of an app's manifest that ``PieceClient`` checks: the URL schemes that open the app, and its texts for
/// permissions.
public protocol AppManifest: Sendable {
    /// Returns `true` if the system opens the app with addresses of a scheme.
    ///
    /// - Parameter scheme: The scheme in lower case, such as `piece-sketcher`.
    func opens(scheme: String) -> Bool
    /// The permissions that editing a cover needs and the app has no usage text for. The system ends an app that asks
    /// for one of these.
    var missingPermissionTexts: [AppPermission] { get }
}

/// A permission that the system asks the user for, showing a text of the app. The raw value is the key in `Info.plist`.
public enum AppPermission: String, Hashable, Sendable, CaseIterable {
    /// Taking a picture with the camera.
    case camera = "NSCameraUsageDescription"
    /// Choosing a picture from the photo library.
    case photoLibrary = "NSPhotoLibraryUsageDescription"
}

/// The manifest of a program that is not opened by addresses, such as a command or a server. It passes all checks.
package struct NoManifest: AppManifest {
    /// Creates the manifest.
    package init() {}

    /// Returns `true` for every scheme: nothing has to be registered.
    package func opens(scheme: String) -> Bool { true }
    /// Always empty.
    package var missingPermissionTexts: [AppPermission] { [] }
}
