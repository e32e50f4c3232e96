import CFFmpeg

/// FFmpeg's device layer.
enum CaptureDrivers {
    /// Done once in a process, before a device is first asked for.
    private static let registered: Void = { avdevice_register_all() }()

    static func register() {
        _ = registered
    }
}
