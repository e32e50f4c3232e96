import CFFmpeg
import Foundation

/// FFmpeg's device layer, loaded when a device is first asked for.
///
/// It brings eighty libraries of windows and pictures and 16 MB of memory, with which a program that reads files should not start.
enum CaptureDrivers {
    private typealias DeviceList = UnsafeMutablePointer<UnsafeMutablePointer<AVDeviceInfoList>?>?
    private typealias Register = @convention(c) () -> Void
    private typealias List =
        @convention(c) (UnsafePointer<AVInputFormat>?, UnsafePointer<CChar>?, OpaquePointer?, DeviceList) -> CInt
    private typealias Free = @convention(c) (DeviceList) -> Void

    /// The functions that list devices, and free such a list.
    private struct Functions {
        var list: List
        var free: Free
    }

    /// Loaded once in a process, and never unloaded; `nil` if the library is not installed.
    private static let functions: Functions? = {
        #if canImport(Darwin)
            let path = beside(libraryFile)
        #else
            let path: String? = libraryFile
        #endif
        guard let path, let library = dlopen(path, RTLD_NOW),
            let register = dlsym(library, "avdevice_register_all"),
            let list = dlsym(library, "avdevice_list_input_sources"),
            let free = dlsym(library, "avdevice_free_list_devices")
        else { return nil }
        unsafeBitCast(register, to: Register.self)()
        return Functions(list: unsafeBitCast(list, to: List.self), free: unsafeBitCast(free, to: Free.self))
    }()

    #if canImport(Darwin)
        /// A library beside the others of the same FFmpeg: Homebrew's lie where the system does not look.
        private static func beside(_ name: String) -> String? {
            let version: @convention(c) () -> UInt32 = avformat_version
            var info = Dl_info()
            guard dladdr(unsafeBitCast(version, to: UnsafeRawPointer.self), &info) != 0, let path = info.dli_fname
            else {
                return nil
            }
            return URL(fileURLWithPath: String(cString: path)).deletingLastPathComponent().path + "/" + name
        }
    #endif

    /// The file of the library, of the same release of FFmpeg as the others.
    static var libraryFile: String {
        #if canImport(Darwin)
            "libavdevice.\(LIBAVDEVICE_VERSION_MAJOR).dylib"
        #else
            "libavdevice.so.\(LIBAVDEVICE_VERSION_MAJOR)"
        #endif
    }

    /// `true` if devices can be captured from. Loads the library.
    static var isInstalled: Bool { functions != nil }

    /// Makes the drivers known to FFmpeg, before a device is first asked for.
    static func register() {
        _ = functions
    }

    /// The devices that a driver lists.
    ///
    /// - Parameters:
    ///   - driver: The driver.
    ///   - options: The options of the driver, such as its server.
    ///   - body: Takes the list, which is freed behind it.
    /// - Returns: `nil` if the driver cannot tell.
    static func withDevices<Result>(
        of driver: UnsafePointer<AVInputFormat>,
        options: OpaquePointer?,
        _ body: (AVDeviceInfoList) -> Result
    ) -> Result? {
        guard let functions else { return nil }
        var list: UnsafeMutablePointer<AVDeviceInfoList>?
        defer { functions.free(&list) }
        guard functions.list(driver, nil, options, &list) >= 0, let list else { return nil }
        return body(list.pointee)
    }
}
