import CFFmpeg
import EarshotCore
import Foundation

extension Demuxer {
    /// Opens a capture device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - isDefault: `true` if it was chosen by default, for the message.
    ///   - fragment: The duration of audio that the device delivers at once, in milliseconds, if it can be set.
    ///   - cancellation: Cancels the wait for a device whose driver supports it.
    /// - Throws: `microphoneUnavailable` or `deviceUnavailable`.
    convenience init(
        device: CaptureDevice,
        isDefault: Bool,
        fragment: Int64,
        cancellation: Cancellation
    ) throws(EarshotError) {
        FFmpegLog.silence()
        CaptureDrivers.register()
        guard let driver = av_find_input_format(device.system.rawValue) else {
            throw EarshotError(
                .deviceUnavailable,
                "The capture device \(device) cannot be opened: the FFmpeg libraries here know no \(device.system.rawValue)."
            )
        }
        // Whoever names no file has a device; the address is for messages about memory.
        let url = URL(fileURLWithPath: device.id)
        guard let context = avformat_alloc_context() else { throw Self.outOfMemory(url) }
        context.pointee.interrupt_callback = cancellation.interruptCallback
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if device.system == .pulse {
            av_dict_set(&options, "name", "Earshot", 0)
            av_dict_set(&options, "stream_name", "capture", 0)
            // The driver's own format: 48,000 Hz, two channels, 16 bits.
            av_dict_set_int(&options, "fragment_size", max(fragment, 1) * 48 * 4, 0)
            if let server = device.server { av_dict_set(&options, "server", server, 0) }
        }
        var opening: UnsafeMutablePointer<AVFormatContext>? = context
        let result = avformat_open_input(&opening, device.id, driver, &options)
        guard result >= 0, let opening else { throw Self.deviceError(result, device, isDefault: isDefault) }
        self.init(Opened(context: opening), url: url, name: device.description, cancellation: cancellation)
    }

    static func deviceError(_ code: Int32, _ device: CaptureDevice, isDefault: Bool) -> EarshotError {
        let reason = FFmpegText.reason(code)
        if code == earshot_error_access() || code == earshot_error_permission() {
            return EarshotError(
                .microphoneUnavailable,
                "The capture device \(device) may not be used (\(reason)): allow it in the system's settings."
            )
        }
        if isDefault {
            return EarshotError(
                .microphoneUnavailable,
                "The default capture device \(device) cannot be opened (\(reason)): connect a microphone, or choose another "
                    + "device of `earshot devices`."
            )
        }
        return EarshotError(
            .deviceUnavailable,
            "The capture device \(device) cannot be opened (\(reason)): choose one that `earshot devices` lists."
        )
    }
}
