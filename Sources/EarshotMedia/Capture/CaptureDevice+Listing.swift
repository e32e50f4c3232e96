import CFFmpeg
import Dispatch
package import EarshotCore

extension CaptureDevice {
    /// Returns the available capture devices, the default one first; empty if there is no sound server and no audio
    /// driver.
    public static func all() async -> [CaptureDevice] {
        await all(server: nil)
    }

    /// The device that is used if none is given.
    ///
    /// - Throws: `microphoneUnavailable` if there is no device.
    public static var `default`: CaptureDevice {
        get async throws(EarshotError) { try choose(from: await all()) }
    }

    /// Returns the available capture devices of a sound server; `nil` for the server of the environment.
    package static func all(server: String?) async -> [CaptureDevice] {
        let queue = DispatchQueue(label: "earshot.capture.devices", qos: .userInitiated)
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: list(server: server)) }
        }
    }

    /// Returns the default device of a list, or else the first that is not a monitor, or else the first.
    ///
    /// - Throws: `microphoneUnavailable` if the list is empty.
    package static func choose(from devices: [CaptureDevice]) throws(EarshotError) -> CaptureDevice {
        // A default that gives back what is played is worse than any microphone.
        if let device = devices.first(where: { $0.isDefault }) ?? devices.first(where: { $0.isMonitor != true }) {
            return device
        }
        if let device = devices.first { return device }
        throw EarshotError(
            .microphoneUnavailable,
            "There is no capture device: connect a microphone and check that a sound server runs (`pactl info`)."
        )
    }

    /// The available devices. Blocks while it asks the sound server.
    static func list(server: String?) -> [CaptureDevice] {
        FFmpegLog.silence()
        CaptureDrivers.register()
        var devices: [CaptureDevice] = []
        #if os(macOS)
            devices = list(.avfoundation, server: nil)
        #else
            devices = list(.pulse, server: server)
            // The server has the drivers' devices too, by better names.
            if devices.isEmpty, server == nil { devices = list(.alsa, server: nil) }
        #endif
        return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
    }

    private static func list(_ system: System, server: String?) -> [CaptureDevice] {
        guard let driver = av_find_input_format(system.rawValue) else { return [] }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if let server { av_dict_set(&options, "server", server, 0) }
        let devices = CaptureDrivers.withDevices(of: driver, options: options) { list in
            (0..<Int(list.nb_devices)).compactMap { index -> CaptureDevice? in
                guard let info = list.devices[index]?.pointee, let id = info.device_name else { return nil }
                return device(
                    id: String(cString: id),
                    name: info.device_description.map { String(cString: $0) },
                    system: system,
                    isDefault: index == Int(list.default_device),
                    server: server
                )
            }
        }
        return devices ?? []
    }

    /// A device of a driver's list; `nil` for entries that are no device.
    static func device(id: String, name: String?, system: System, isDefault: Bool, server: String?) -> CaptureDevice? {
        var name = name?.split(whereSeparator: \.isNewline).joined(separator: ", ") ?? ""
        if name.isEmpty { name = id }
        switch system {
        case .pulse:
            return CaptureDevice(id: id, name: name, system: system, isDefault: isDefault, server: server)
        case .alsa:
            // The drivers list their converters and each use of a card; one entry a card that converts by itself stays.
            guard id.hasPrefix("sysdefault:") || id.hasPrefix("plughw:") else { return nil }
            return CaptureDevice(id: id, name: name, system: system, isDefault: isDefault)
        case .avfoundation:
            // The driver opens sound by the name behind a colon; before it stands the camera.
            return CaptureDevice(id: ":" + name, name: name, system: system, isDefault: isDefault)
        }
    }
}
