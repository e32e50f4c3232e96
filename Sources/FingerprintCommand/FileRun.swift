import EarshotCore
import EarshotFingerprints
import EarshotMedia
import Foundation

/// The fingerprints of one file.
struct FileRun {
    private let options: CommandOptions

    init(_ options: CommandOptions) {
        self.options = options
    }

    /// Reads a file and writes what comes of it.
    ///
    /// Its calls block: this is all that the process does.
    func run(_ path: String) throws(CommandFailure) {
        var arrival = Date().timeIntervalSince1970
        let decoder: AudioDecoder
        do throws(EarshotError) {
            decoder = try AudioDecoder(Self.url(path), form: options.form, asDecoded: true)
        } catch {
            throw CommandFailure("Could not open the input file (\(error.message))")
        }
        let stated = decoder.statedDuration
        func emit(_ chunk: FingerprintStream.Chunk) throws(EarshotError) {
            if chunk.values.isEmpty, !chunk.isFirst { return }
            let start = options.showsTimestamps ? arrival : chunk.start.seconds
            let duration = options.plan.chunk == 0 ? Self.milliseconds(stated) : chunk.duration.seconds
            let result = try ResultText(chunk, start: start, duration: duration, algorithm: options.plan.algorithm)
            FingerprintCommand.write(result.text(options))
            arrival = Date().timeIntervalSince1970
        }
        var damage: String?
        var last: FingerprintStream.Chunk?
        do throws(EarshotError) {
            let stream = try FingerprintStream(options.plan)
            do throws(EarshotError) {
                while !stream.isComplete, let block = try decoder.next() { try stream.append(block.buffer, emit) }
            } catch {
                guard error.code == .readFailed else { throw error }
                damage = error.message
            }
            last = try stream.finish()
            if let last, !last.values.isEmpty || !last.isFirst { try emit(last) }
        } catch {
            throw CommandFailure("Could not process audio data (\(error.message))")
        }
        let count = decoder.progress.damagedPacketCount
        if damage == nil, count > 0 { damage = "damaged packets of the file were left out: \(count)" }
        try settle(last, damage: damage)
    }

    /// Checks that the file has given what was wanted.
    ///
    /// - Throws: An error if the audio was too short, or was damaged and damage is not ignored.
    private func settle(_ last: FingerprintStream.Chunk?, damage: String?) throws(CommandFailure) {
        if let damage {
            FileHandle.standardError.write(Data("ERROR: Error decoding audio frame (\(damage))\n".utf8))
        }
        if let last, last.isFirst, last.values.isEmpty { throw CommandFailure("Empty fingerprint") }
        guard last != nil else { throw CommandFailure("Not enough audio data") }
        if damage != nil, !options.ignoresErrors { throw CommandFailure(nil, status: 3) }
    }

    /// Addresses are taken as they are; anything else is a file.
    private static func url(_ path: String) -> URL {
        if path == "-" { return URL(string: "pipe:0") ?? URL(fileURLWithPath: path) }
        if path.contains("://") || path.hasPrefix("pipe:"), let url = URL(string: path) { return url }
        return URL(fileURLWithPath: path)
    }

    /// Seconds of a duration, cut to whole milliseconds; zero when it is not known.
    private static func milliseconds(_ duration: MediaTime?) -> Double {
        guard let duration, duration.isNumeric, duration > .zero else { return 0 }
        return Double(duration.converted(toTimescale: 1000, rounding: .towardZero).value) / 1000
    }
}
