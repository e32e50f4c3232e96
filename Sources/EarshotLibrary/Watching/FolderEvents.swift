import Dispatch
import EarshotCore
import Foundation
import Synchronization

#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The changes in a tree of folders, from the kernel by inotify: each folder is watched by itself.
    final class FolderEvents: Sendable {
        // Sources may be resumed and canceled on any thread; Dispatch does not say so in its types on Linux.
        private struct Source: @unchecked Sendable {
            let source: any DispatchSourceRead
        }

        private struct State {
            /// The folders that are watched, by the kernel's number of the watch.
            var folders: [Int32: String] = [:]
        }

        /// `IN_CREATE`, `IN_CLOSE_WRITE`, `IN_ATTRIB`, `IN_MOVED_FROM`, `IN_MOVED_TO`, `IN_DELETE`, `IN_MODIFY`, and only folders.
        private static let mask: UInt32 = 0x100 | 0x8 | 0x4 | 0x40 | 0x80 | 0x200 | 0x2 | 0x0100_0000
        private static let (isFolder, overflow, ignored): (UInt32, UInt32, UInt32) = (0x4000_0000, 0x4000, 0x8000)

        private let top: String
        private let descriptor: Int32
        private let source: Source
        private let state = Mutex(State())
        private let notice: @Sendable (String?) -> Void
        private let fail: @Sendable (EarshotError) -> Void

        /// Begins to watch.
        ///
        /// - Parameters:
        ///   - top: The folder.
        ///   - notice: Called with the path that changed; `nil` for all. Called on a queue of its own.
        ///   - fail: Called with the error that ends the watching.
        init(
            _ top: String,
            notice: @escaping @Sendable (String?) -> Void,
            failing fail: @escaping @Sendable (EarshotError) -> Void
        ) throws(EarshotError) {
            (self.top, self.notice, self.fail) = (top, notice, fail)
            descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw EarshotError(
                    .readFailed,
                    "\(top) cannot be watched: end other programs that watch folders, or raise fs.inotify.max_user_instances."
                )
            }
            let queue = DispatchQueue(label: "earshot.library.watch", qos: .utility)
            let descriptor = descriptor
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            self.source = Source(source: source)
            source.setCancelHandler { close(descriptor) }
            do throws(EarshotError) {
                try watch(top)
            } catch {
                source.resume()
                source.cancel()
                throw error
            }
            source.setEventHandler { [weak self] in self?.readEvents() }
            source.resume()
        }

        /// Ends the watching.
        func stop() { source.source.cancel() }

        /// Watches a folder and all below it.
        private func watch(_ folder: String) throws(EarshotError) {
            let walk = try LibraryWalk(folder)
            for folder in walk.folders {
                let number = inotify_add_watch(descriptor, folder, Self.mask)
                if number >= 0 {
                    state.withLock { $0.folders[number] = folder }
                } else if errno == ENOSPC || errno == ENOMEM {
                    throw EarshotError(
                        .readFailed,
                        "The system watches no more folders than those up to \(folder): raise fs.inotify.max_user_watches."
                    )
                }
            }
        }

        private func readEvents() {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                var place = 0
                // The head: number, mask, cookie, length of the name; the name ends with zeros.
                while place + 16 <= count {
                    func word(_ offset: Int) -> UInt32 {
                        (0..<4).reduce(0) { $0 | UInt32(buffer[place + offset + $1]) << (8 * UInt32($1)) }
                    }
                    let (number, mask, size) = (Int32(bitPattern: word(0)), word(4), Int(word(12)))
                    let end = min(count, place + 16 + size)
                    let name = String(decoding: buffer[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
                    place += 16 + size
                    take(number, mask, name)
                }
            }
        }

        private func take(_ number: Int32, _ mask: UInt32, _ name: String) {
            if mask & Self.overflow != 0 { return lookAgain() }
            if mask & Self.ignored != 0 {
                state.withLock { $0.folders[number] = nil }
                return
            }
            guard let folder = state.withLock({ $0.folders[number] }), !name.hasPrefix(".") else { return }
            let path = name.isEmpty ? folder : folder + "/" + name
            if mask & Self.isFolder != 0, !name.isEmpty {
                // 0x40 moved away, 0x100 made, 0x80 moved here.
                if mask & 0x40 != 0 { forget(path) }
                if mask & 0x180 != 0 { enter(path) }
            }
            notice(path)
        }

        /// Watches a folder that is new. What came into it before it was watched is in the change by the folder itself.
        private func enter(_ folder: String) {
            do throws(EarshotError) {
                try watch(folder)
            } catch {
                // One that is gone again, or may not be read, is no reason to end.
                if error.code == .readFailed { fail(error) }
            }
        }

        /// Ends the watches of a folder that is elsewhere now.
        private func forget(_ folder: String) {
            let old = state.withLock { state in
                let old = state.folders.filter { $0.value == folder || $0.value.utf8.starts(with: (folder + "/").utf8) }
                for number in old.keys { state.folders[number] = nil }
                return old
            }
            for number in old.keys { inotify_rm_watch(descriptor, number) }
        }

        /// The kernel lost events: all folders are looked up again.
        private func lookAgain() {
            enter(top)
            notice(nil)
        }
    }
#elseif os(macOS)
    import CoreServices

    /// The changes in a tree of folders, from the system by FSEvents.
    final class FolderEvents: Sendable {
        // The stream is used on one queue only; Core Foundation's types say nothing of that: a mutex holds it.
        private struct Stream: @unchecked Sendable {
            let stream: FSEventStreamRef
        }

        private final class Receiver: Sendable {
            let notice: @Sendable (String?) -> Void
            init(_ notice: @escaping @Sendable (String?) -> Void) { self.notice = notice }
        }

        private let stream: Mutex<Stream?>

        /// Begins to watch.
        ///
        /// - Parameters:
        ///   - top: The folder.
        ///   - notice: Called with the path that changed; `nil` for all. Called on a queue of its own.
        ///   - fail: Called with the error that ends the watching.
        init(
            _ top: String,
            notice: @escaping @Sendable (String?) -> Void,
            failing fail: @escaping @Sendable (EarshotError) -> Void
        ) throws(EarshotError) {
            stream = Mutex(nil)
            // Says why a folder cannot be read; the stream would only be silent.
            _ = try LibraryWalk(top)
            // The stream owns the receiver and gives it up with itself.
            var context = FSEventStreamContext(
                version: 0,
                info: Unmanaged.passRetained(Receiver(notice)).toOpaque(),
                retain: nil,
                release: { info in if let info { Unmanaged<Receiver>.fromOpaque(info).release() } },
                copyDescription: nil
            )
            let callback: FSEventStreamCallback = { _, info, count, paths, flags, _ in
                guard let info else { return }
                let receiver = Unmanaged<Receiver>.fromOpaque(info).takeUnretainedValue()
                let names = paths.assumingMemoryBound(to: UnsafePointer<CChar>.self)
                let lost = FSEventStreamEventFlags(
                    kFSEventStreamEventFlagMustScanSubDirs | kFSEventStreamEventFlagUserDropped
                        | kFSEventStreamEventFlagKernelDropped
                )
                for place in 0..<count {
                    receiver.notice(flags[place] & lost != 0 ? nil : String(cString: names[place]))
                }
            }
            let flags = FSEventStreamCreateFlags(kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagNoDefer)
            guard
                let made = FSEventStreamCreate(
                    nil,
                    callback,
                    &context,
                    [top] as CFArray,
                    FSEventStreamEventId(kFSEventStreamEventIdSinceNow),
                    0.1,
                    flags
                )
            else { throw EarshotError(.readFailed, "\(top) cannot be watched: check the folder.") }
            FSEventStreamSetDispatchQueue(made, DispatchQueue(label: "earshot.library.watch", qos: .utility))
            FSEventStreamStart(made)
            let kept = Stream(stream: made)
            stream.withLock { $0 = kept }
        }

        /// Ends the watching.
        func stop() {
            let old = stream.withLock { stream in
                defer { stream = nil }
                return stream
            }
            guard let old else { return }
            FSEventStreamStop(old.stream)
            FSEventStreamInvalidate(old.stream)
            FSEventStreamRelease(old.stream)
        }
    }
#else
    /// Systems on which apps do not watch folders.
    final class FolderEvents: Sendable {
        init(
            _ top: String,
            notice: @escaping @Sendable (String?) -> Void,
            failing fail: @escaping @Sendable (EarshotError) -> Void
        ) throws(EarshotError) {
            throw EarshotError(.fileTypeUnsupported, "\(top) cannot be watched on this system: scan it again instead.")
        }

        func stop() {}
    }
#endif
