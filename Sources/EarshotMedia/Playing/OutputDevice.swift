/// An output device: loudspeakers, headphones, a line output.
public struct OutputDevice: Hashable, Sendable, CustomStringConvertible {
    /// The part of the operating system that a device belongs to.
    public enum System: String, Hashable, Sendable, CaseIterable {
        /// A PulseAudio server, or PipeWire in its place.
        case pulse
        /// ALSA, the sound drivers of Linux.
        case alsa
        /// Apple's AudioToolbox.
        case audiotoolbox
    }

    /// The system's identifier of the device; `nil` for the default device.
    public let id: String?
    /// The system that it belongs to.
    public let system: System
    /// The sound server asked for it, where that is not the one of the environment.
    package var server: String?

    /// A device. Whether it is there, playing tells.
    ///
    /// - Parameters:
    ///   - id: The system's identifier of the device; `nil` for the default device.
    ///   - system: The system that it belongs to.
    public init(id: String? = nil, system: System) {
        self.init(id: id, system: system, server: nil)
    }

    package init(id: String?, system: System, server: String?) {
        (self.id, self.system, self.server) = (id, system, server)
    }

    /// The system and what it calls the device: `pulse`, `alsa hw:0`.
    public var description: String { id.map { "\(system.rawValue) \($0)" } ?? system.rawValue }

    /// The devices to try, one after the other, if none is given.
    static let usual: [OutputDevice] = {
        #if os(Linux)
            [OutputDevice(system: .pulse), OutputDevice(id: "default", system: .alsa)]
        #else
            [OutputDevice(system: .audiotoolbox)]
        #endif
    }()
}
