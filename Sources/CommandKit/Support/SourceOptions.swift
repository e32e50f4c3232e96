package import ArgumentParser
package import Earshot
import Foundation

/// The source of audio, on the command line.
package struct SourceOptions: ParsableArguments {
    /// A source that is open.
    package enum Source {
        /// A file, not yet played as if live.
        case file(AssetReader)
        /// Standard input.
        case samples(PCMSource)
        /// A stream.
        case stream(LiveSource)
        /// A device.
        case device(CaptureSource)
    }

    @Option(name: .shortAndLong, help: "The device to capture from, as `earshot devices` names it.")
    package var device: String?

    @Option(name: .shortAndLong, help: "The address of a stream; it is opened again when it breaks off.")
    package var url: String?

    @Option(name: .shortAndLong, help: "A file, played as if live.", completion: .file())
    package var file: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Raw samples on standard input: s16le or f32le, hertz, channels.", valueName: "type:rate:n")
    )
    package var pcm: PCMArgument?

    package init() {}

    package func validate() throws {
        let sources = [device != nil, url != nil, file != nil, pcm != nil].filter(\.self).count
        if sources > 1 { throw ValidationError("Choose one of --device, --url, --file and --pcm.") }
    }

    /// Opens the source; without any the default microphone.
    package func open() async throws -> Source {
        if let file {
            let options = AssetReader.Options(blockFrames: 2_048)
            return .file(try await AssetReader(URL(fileURLWithPath: file), options: options))
        }
        if let pcm { return .samples(try PCMSource(format: pcm.format)) }
        if let url {
            guard let address = URL(string: url), address.scheme != nil else {
                throw EarshotError(.assetNotFound, "\(url) is no address: give one such as http://…, or use --file.")
            }
            return .stream(try await LiveSource(address))
        }
        guard let device else { return .device(try await CaptureSource(nil)) }
        return .device(try await CaptureSource(try await .named(device)))
    }

    /// Opens the source; a file is played as if live.
    package func live() async throws -> any AudioSource {
        switch try await open() {
        case .file(let reader): PacedSource(reader)
        case .samples(let source): source
        case .stream(let source): source
        case .device(let source): source
        }
    }
}

extension CaptureDevice {
    /// The device of an identifier or a name.
    ///
    /// - Throws: `deviceUnavailable` when there is none.
    package static func named(_ name: String) async throws(EarshotError) -> CaptureDevice {
        if let device = await all().first(where: { $0.id == name || $0.name == name }) { return device }
        throw EarshotError(
            .deviceUnavailable,
            "There is no capture device named \(name): `earshot devices` lists those there are."
        )
    }
}

/// The format of raw samples on the command line.
package struct PCMArgument: ExpressibleByArgument {
    package let format: AudioFormat

    package init?(argument: String) {
        let parts = argument.split(separator: ":")
        guard parts.count == 3, let rate = Int(parts[1]), let channels = Int(parts[2]), rate > 0, channels > 0 else {
            return nil
        }
        let types: [Substring: AudioFormat.SampleType] = ["s16le": .int16, "f32le": .float32]
        guard let type = types[parts[0]] else { return nil }
        format = AudioFormat(sampleRate: rate, channelCount: channels, sampleType: type)
    }
}
