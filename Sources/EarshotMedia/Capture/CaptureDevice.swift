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
    /// The name for users.
    public let name: String
    /// The system that it belongs to.
    public let system: System
    /// `true` if it is used when none is named.
    public let isDefault: Bool
    /// `true` if it captures the audio that is being played instead of a microphone; `nil` if that is not known.
    public let isMonitor: Bool?
    /// The sound server asked for it, where that is not the one of the environment.
    package var server: String?

    /// A device whose identifier is known, for example from an earlier run. Whether it is there, opening it tells.
    ///
    /// - Parameters:
    ///   - id: The system's identifier of the device.
    ///   - system: The system that it belongs to.
    ///   - name: The name for users; the identifier if `nil`.
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

    /// The name and the identifier.
    public var description: String { name == id ? id : "\(name) (\(id))" }
}
