import CFFmpeg
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Reads an open file descriptor for FFmpeg, as standard input.
///
/// FFmpeg's own `pipe:` waits in `read`, where nothing can interrupt it; this waits in `poll` and looks at the
/// cancellation in between. It also gives FFmpeg no more tags than ``TagLimit`` allows.
final class PipeInput {
    private static let bufferSize: Int32 = 1 << 15
    /// The duration of one wait, in milliseconds: cancellation takes effect within it.
    private static let patience: Int32 = 50

    /// The most bytes of a pipe that are kept to look for tags.
    private static let headLimit = 16 << 20

    private let descriptor: Int32
    private let cancellation: Cancellation
    /// True if the descriptor is closed at the end.
    private let closes: Bool
    private(set) var io: UnsafeMutablePointer<AVIOContext>?
    private var patches: [TagLimit.Patch]
    /// `true` if tags have still to be looked for.
    private var isDue: Bool
    /// The bytes read to look for tags, which are returned next.
    private var head: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - descriptor: An open descriptor; it stays open.
    ///   - limitsTags: `true` if it may be media with tags.
    ///   - cancellation: Cancels a wait.
    convenience init(descriptor: Int32, limitsTags: Bool = false, cancellation: Cancellation) {
        self.init(descriptor, closes: false, [], isDue: limitsTags, cancellation)
    }

    /// Reads a file with more tags than the limit; `nil` for all others, which FFmpeg reads itself.
    ///
    /// - Parameters:
    ///   - path: A file.
    ///   - cancellation: Cancels reading.
    convenience init?(limitingTagsOf path: String, cancellation: Cancellation) {
        // What cannot be read here is reported by FFmpeg. A pipe in the place of a file must not be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let patches = Self.patches(descriptor)
        guard !patches.isEmpty else {
            close(descriptor)
            return nil
        }
        self.init(descriptor, closes: true, patches, isDue: false, cancellation)
    }

    private init(
        _ descriptor: Int32,
        closes: Bool,
        _ patches: [TagLimit.Patch],
        isDue: Bool,
        _ cancellation: Cancellation
    ) {
        self.descriptor = descriptor
        self.cancellation = cancellation
        self.closes = closes
        self.patches = patches
        self.isDue = isDue
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

    /// `true` if the descriptor is a file's, where one can go back: formats may have their table of contents at the
    /// end.
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
        if closes { close(descriptor) }
    }

    /// The descriptor that an address such as `pipe:0` names; `nil` for other addresses.
    static func descriptor(of url: URL) -> Int32? {
        guard url.scheme?.lowercased() == "pipe" else { return nil }
        let number = url.absoluteString.dropFirst("pipe:".count)
        return number.isEmpty ? 0 : Int32(number).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Reads up to `size` bytes, once there are some; a code of FFmpeg below zero at the end and after an error.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, _ size: Int32) -> Int32 {
        if isDue {
            isDue = false
            if isFile { patches = Self.patches(descriptor) } else { lookIntoPipe() }
        }
        if !head.isEmpty {
            let bytes = head.prefix(Int(size))
            for (index, byte) in bytes.enumerated() { buffer[index] = byte }
            head = head.dropFirst(bytes.count)
            return Int32(bytes.count)
        }
        let place = patches.isEmpty ? 0 : Int(lseek(descriptor, 0, SEEK_CUR))
        let count = readOn(buffer, size)
        if count > 0 {
            let bytes = UnsafeMutableBufferPointer(start: buffer, count: Int(count))
            for patch in patches { patch.apply(to: bytes, at: place) }
        }
        return count
    }

    // MARK: - Tags

    /// The patches of a file, from its descriptor's position; empty if the input is not a file.
    private static func patches(_ descriptor: Int32) -> [TagLimit.Patch] {
        let begin = Int(lseek(descriptor, 0, SEEK_CUR))
        var status = stat()
        guard begin >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        return TagLimit.patches(size: max(0, Int(status.st_size) - begin)) { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(begin &+ offset)) }
            return Array(bytes.prefix(max(0, read)))
        }.map { TagLimit.Patch(offset: begin + $0.offset, bytes: $0.bytes) }
    }

    /// Reads ahead as far as there are tags: FFmpeg has to wait for these too.
    private func lookIntoPipe() {
        var bytes: [UInt8] = []
        let found = TagLimit.patches(size: nil) { [self] offset, count in
            while bytes.count < offset + count, bytes.count <= Self.headLimit {
                let read = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(Self.bufferSize)) { buffer in
                    guard let start = buffer.baseAddress else { return false }
                    let count = readOn(start, Self.bufferSize)
                    guard count > 0 else { return false }
                    bytes.append(contentsOf: UnsafeMutableBufferPointer(start: start, count: Int(count)))
                    return true
                }
                if !read { break }
            }
            return Array(bytes.dropFirst(offset).prefix(count))
        }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for patch in found { patch.apply(to: bytes, at: 0) }
        }
        head = bytes[...]
    }

    /// Reads on, behind what was kept.
    private func readOn(_ buffer: UnsafeMutablePointer<UInt8>, _ size: Int32) -> Int32 {
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
