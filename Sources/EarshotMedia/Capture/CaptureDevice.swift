/// A device that audio is captured from: a microphone, a line input, or the monitor of an output.
public struct CaptureDevice: Hashable, Sendable, CustomStringConvertible {
    /// The part of the operating system that a device belongs to.
    public enum System: String, Hashable, Sendable, CaseIterable {
        /// A PulseAudio server, or PipeWire in its place.
        case pulse
        /// ALSA, the sound drivers of Linux.
        case alsa
        /// The capture framework of macOS.
        case avfoundation
    }

    /// The system's identifier of the device; it stays the same after a restart.
    public let id: String
    /// The display name of the device.
    public let name: String
    /// The part of the operating system that provides the device.
    public let system: System
    /// `true` if the device is used when none is given.
    public let isDefault: Bool
    /// `true` if the device captures the audio that is being played instead of a microphone; `nil` if that is not
    /// known.
    public let isMonitor: Bool?
    /// The address of the sound server that provides the device; `nil` for the server of the environment.
    package var server: String?

    /// Creates a device from a known identifier, for example from an earlier run. Opening it fails if it is not
    /// available.
    ///
    /// - Parameters:
    ///   - id: The system's identifier of the device.
    ///   - system: The part of the operating system that provides the device.
    ///   - name: The display name; the identifier if `nil`.
    public init(id: String, system: System, name: String? = nil) {
        self.init(id: id, name: name ?? id, system: system, isDefault: false)
    }

    package init(id: String, name: String, system: System, isDefault: Bool, server: String? = nil) {
        self.id = id
        self.name = name
        self.system = system
        self.isDefault = isDefault
        self.server = server
        // PulseAudio names the monitor of an output after the output.
        isMonitor = system == .pulse ? id.hasSuffix(".monitor") : nil
    }

    /// The name, followed by the identifier in parentheses if it differs.
    public var description: String { name == id ? id : "\(name) (\(id))" }
}
