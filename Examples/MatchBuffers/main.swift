import EarshotCatalogs
import EarshotCore
import Foundation

// Says what is heard in raw samples from standard input: mono, 32-bit floating point, little-endian. It is built without FFmpeg.
//
//     arecord -t raw -f FLOAT_LE -c 1 -r 48000 | MatchBuffers CATALOG 48000

func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("MatchBuffers: \(reason)\n".utf8))
    exit(1)
}

/// Takes whole samples from the front of bytes; what is left of a sample stays.
func samples(from bytes: inout [UInt8]) -> [Float] {
    let count = bytes.count / 4
    defer { bytes.removeFirst(count * 4) }
    return (0..<count).map { index in
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << UInt32($1 * 8) })
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let path = arguments.first, let rate = arguments.last.flatMap({ Int($0) }),
    (8_000...192_000).contains(rate)
else {
    stop("usage: MatchBuffers CATALOG RATE < SAMPLES, with a rate of 8000 to 192000 Hz")
}
do {
    let matcher = BufferMatcher(catalog: try Catalog(contentsOf: URL(fileURLWithPath: path)))
    let events = matcher.events
    let capture = Task.detached {
        defer { matcher.finish() }
        let (clock, start) = (MediaClock.system, MediaClock.system.now)
        var (taken, rest): (Int64, [UInt8]) = (0, [])
        // A twentieth of a second at a time, as devices do. A file is read no faster: who pushes has to keep the pace.
        while let bytes = try FileHandle.standardInput.read(upToCount: rate / 20 * 4), !bytes.isEmpty {
            rest += bytes
            let next = samples(from: &rest)
            next.withUnsafeBufferPointer { matcher.take($0, sampleRate: Double(rate)) }
            taken += Int64(next.count)
            try await clock.sleep(until: start + MediaTime(frames: taken, sampleRate: rate))
        }
    }
    for await event in events {
        switch event {
        case .heard(let item): print(item.title ?? "?", "at", item.predictedCurrentMatchOffset.label)
        case .nothing: print("nothing known")
        case .failed(let error): print(error.message)
        }
    }
    try await capture.value
} catch {
    stop((error as? EarshotError)?.message ?? "\(error)")
}
