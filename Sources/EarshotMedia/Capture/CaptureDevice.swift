/// Something that sound is captured from: a microphone, a line input, or what another program plays.
public struct CaptureDevice: Hashable, Sendable, CustomStringConvertible {
    /// The part of the operating system that a device belongs to.
    public enum System: String, Hashable, Sendable, CaseIterable {
        /// A PulseAudio server, or PipeWire in its place.
        case pulse
        /// The sound drivers of Linux.
        case alsa
        /// The capture framework of macOS.
        case avfoundation
    }

    /// What the system calls it; stays the same from one start to the next.
    public let id: String
    /// What a person calls it.
    public let name: String
    /// The system that it belongs to.
    public let system: System
    /// `true` if it is used when none is named.
    public let isDefault: Bool
    /// `true` if it gives what is being played instead of what a microphone hears; absent where that is not known.
    public let isMonitor: Bool?
    /// The sound server asked for it, where that is not the one of the environment.
    package var server: String?

    /// A device whose identifier is known, for example from an earlier run. Whether it is there, opening it tells.
    ///
    /// - Parameters:
    ///   - id: What the system calls it.
    ///   - system: The system that it belongs to.
    ///   - name: What a person calls it; the identifier if `nil`.
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
