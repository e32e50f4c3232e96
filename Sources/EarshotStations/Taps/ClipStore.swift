import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// Keeps the last minutes of channels as audio on the disk, in files of a minute, so that intervals can be extracted:
/// 16 kHz, mono, 16 bits, 1.9 MB a minute.
///
/// It must not be used by several threads at once.
struct ClipStore {
    /// The number of files that are kept of a channel.
    static let fileCount = 20
    /// The sample rate, in hertz.
    static let rate = 16_000
    /// The length of a file, in seconds.
    private static let length = 60.0
    /// The deviation of a date from the end of the last audio above which a new file is started, in seconds.
    private static let tolerance = 0.25

    private struct File {
        var name: String
        var start: Date
        var frames: Int

        var end: Date { start.addingTimeInterval(Double(frames) / Double(ClipStore.rate)) }
    }

    private struct Channel {
        var files: [File] = []
        var handle: FileHandle?
        var number = 0
    }

    private let folder: URL
    private var channels: [EntityID<BroadcastChannel>: Channel] = [:]

    /// Creates an empty store. Files of an earlier run are removed, because their dates are not known.
    ///
    /// - Parameter folder: The folder, which must contain nothing else.
    /// - Throws: `writeFailed` if it cannot be created.
    init(_ folder: URL) throws(EarshotError) {
        self.folder = folder
        do {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made: check its rights, and the room left.",
                cause: error
            )
        }
    }

    /// Appends audio of 16 kHz that begins at a date.
    mutating func append(_ samples: [Int16], at date: Date, of id: EntityID<BroadcastChannel>) throws {
        var channel = channels[id] ?? Channel(number: channels.count)
        defer { channels[id] = channel }
        let isNext = channel.files.last.map { file in
            abs(date.timeIntervalSince(file.end)) <= Self.tolerance && file.frames < Int(Self.length) * Self.rate
        }
        if isNext != true {
            try? channel.handle?.close()
            let name = "\(channel.number)-\(Int64(date.timeIntervalSince1970 * 1_000)).raw"
            let url = folder.appendingPathComponent(name)
            _ = FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            channel.handle = try FileHandle(forWritingTo: url)
            channel.files.append(File(name: name, start: date, frames: 0))
            while channel.files.count > Self.fileCount {
                let old = channel.files.removeFirst()
                try? FileManager.default.removeItem(at: folder.appendingPathComponent(old.name))
            }
        }
        try channel.handle?.write(contentsOf: samples.withUnsafeBytes { Data($0) })
        channel.files[channel.files.count - 1].frames += samples.count
    }

    /// Returns an interval of a channel as samples of 16 bits; `nil` if it is not complete.
    func cut(_ range: Range<Date>, of id: EntityID<BroadcastChannel>) -> Data? {
        var data = Data()
        var place = range.lowerBound
        for file in channels[id]?.files ?? [] where file.end > place && file.start < range.upperBound {
            let skipped = place.timeIntervalSince(file.start)
            guard skipped >= -Self.tolerance else { return nil }
            let first = max(0, Int(skipped * Double(Self.rate)))
            let count = min(
                file.frames - first,
                Int((range.upperBound.timeIntervalSince(place) * Double(Self.rate)).rounded(.up))
            )
            guard count > 0, let handle = try? FileHandle(forReadingFrom: folder.appendingPathComponent(file.name))
            else { continue }
            defer { try? handle.close() }
            try? handle.seek(toOffset: UInt64(first * 2))
            data += (try? handle.read(upToCount: count * 2)) ?? Data()
            place = file.end
        }
        let expected = range.upperBound.timeIntervalSince(range.lowerBound) * Double(Self.rate)
        return Double(data.count / 2) >= expected - 2 * Self.tolerance * Double(Self.rate) ? data : nil
    }

    /// Returns samples as a WAV file.
    static func wave(_ samples: Data) -> Data {
        var header = ByteWriter()
        header.write(contentsOf: "RIFF".utf8)
        header.write(UInt32(clamping: 36 + samples.count))
        header.write(contentsOf: "WAVEfmt ".utf8)
        header.write(UInt32(16))
        header.write(UInt16(1))
        header.write(UInt16(1))
        header.write(UInt32(rate))
        header.write(UInt32(rate * 2))
        header.write(UInt16(2))
        header.write(UInt16(16))
        header.write(contentsOf: "data".utf8)
        header.write(UInt32(clamping: samples.count))
        return Data(header.bytes) + samples
    }
}
