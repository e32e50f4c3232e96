import CFFmpeg
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Reads an open file descriptor for FFmpeg, as standard input.
///
/// FFmpeg's own `pipe:` waits in `read`, where nothing can interrupt it; this waits in `poll` and looks at the
/// cancellation in between.
final class PipeInput {
    private static let bufferSize: Int32 = 1 << 15
    /// How long one wait lasts, in milliseconds: cancelling takes effect within it.
    private static let patience: Int32 = 50

    private let descriptor: Int32
    private let cancellation: Cancellation
    private(set) var io: UnsafeMutablePointer<AVIOContext>?

    /// - Parameters:
    ///   - descriptor: An open descriptor; it stays open.
    ///   - cancellation: What ends a wait.
    init(descriptor: Int32, cancellation: Cancellation) {
        self.descriptor = descriptor
        self.cancellation = cancellation
        let buffer = av_malloc(Int(Self.bufferSize))?.assumingMemoryBound(to: UInt8.self)
        io = avio_alloc_context(
            buffer,
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, buffer, size in
                guard let opaque, let buffer else { return earshot_error_io() }
                return Unmanaged<PipeInput>.fromOpaque(opaque).takeUnretainedValue().read(buffer, size)
            },
            nil,
            { opaque, offset, origin in
                guard let opaque else { return Int64(earshot_error_io()) }
                return Unmanaged<PipeInput>.fromOpaque(opaque).takeUnretainedValue().seek(offset, origin)
            }
        )
        io?.pointee.seekable = isFile ? AVIO_SEEKABLE_NORMAL : 0
    }

    /// Whether the descriptor is a file's, where one can go back: formats may have their table of contents at the end.
    private var isFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Goes to another place of a file, or tells its size, as FFmpeg asks.
    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return Int64(earshot_error_io())
        }
        if origin & AVSEEK_SIZE != 0 { return Int64(status.st_size) }
        let place = lseek(descriptor, off_t(offset), origin & ~AVSEEK_FORCE)
        return place >= 0 ? Int64(place) : Int64(earshot_error_io())
    }

    deinit {
        // FFmpeg may have put another buffer in the first one's place.
        av_free(io?.pointee.buffer)
        avio_context_free(&io)
    }

    /// The descriptor that an address such as `pipe:0` names; nothing for other addresses.
    static func descriptor(of url: URL) -> Int32? {
        guard url.scheme?.lowercased() == "pipe" else { return nil }
        let number = url.absoluteString.dropFirst("pipe:".count)
        return number.isEmpty ? 0 : Int32(number).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Reads up to `size` bytes, once there are some; a code of FFmpeg below zero at the end and after an error.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, _ size: Int32) -> Int32 {
        while true {
            if cancellation.isCancelled { return earshot_error_exit() }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Self.patience)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            if ready < 0 || request.revents & Int16(POLLNVAL) != 0 { return earshot_error_io() }
            #if canImport(Darwin)
                let count = Darwin.read(descriptor, buffer, Int(size))
            #else
                let count = Glibc.read(descriptor, buffer, Int(size))
            #endif
            if count > 0 { return Int32(count) }
            if count == 0 { return earshot_error_end() }
            if errno != EINTR && errno != EAGAIN { return earshot_error_io() }
        }
    }
}
