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
    /// The part of the operating system that provides the device.
    public let system: System
    /// The address of the sound server that provides the device; `nil` for the server of the environment.
    package var server: String?

    /// Creates a device from its identifier. Playing fails if it is not available.
    ///
    /// - Parameters:
    ///   - id: The system's identifier of the device; `nil` for the default device.
    ///   - system: The part of the operating system that provides the device.
    public init(id: String? = nil, system: System) {
        self.init(id: id, system: system, server: nil)
    }

    package init(id: String?, system: System, server: String?) {
        (self.id, self.system, self.server) = (id, system, server)
    }

    /// The system and the identifier of the device, such as `pulse` or `alsa hw:0`.
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
