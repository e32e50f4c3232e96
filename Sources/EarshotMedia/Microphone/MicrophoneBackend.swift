public import EarshotCore
public import Foundation

/// The source of a ``Microphone``: a capture device, a file, standard input, a stream, or a source of the app.
public struct MicrophoneBackend: Sendable {
    /// An open source of audio.
    public struct Capture: Sendable {
        /// The audio, at the requested rate. Channels and sample format may differ: they are converted.
        public var source: any AudioSource
        /// The events besides the audio; `nil` if there are none.
        public var events: AsyncStream<CaptureEvent>?
        /// The name of the current device; a different name after an interruption is a change of route.
        public var route: @Sendable () -> String?
        /// Ends the capture, from any thread, and does not wait.
        public var stop: @Sendable () -> Void

        /// An open capture.
        ///
        /// - Parameters:
        ///   - source: The audio, at the requested rate.
        ///   - events: The events besides the audio, for this one reader.
        ///   - route: Returns the name of the current device.
        ///   - stop: Ends the capture.
        public init(
            _ source: any AudioSource,
            events: AsyncStream<CaptureEvent>? = nil,
            route: @escaping @Sendable () -> String? = { nil },
            stop: @escaping @Sendable () -> Void = {}
        ) {
            self.source = source
            self.events = events
            self.route = route
            self.stop = stop
        }
    }

    let open: @Sendable (AudioConfiguration) async throws -> Capture

    /// A back-end of one's own.
    ///
    /// - Parameter open: Opens it at each start of the microphone. What it throws is thrown by the start; anything but an
    ///   `EarshotError`, such as a system's refusal, as the reason of `microphoneUnavailable`.
    public init(open: @escaping @Sendable (AudioConfiguration) async throws -> Capture) {
        self.open = open
    }

    /// A capture device; the default one, whichever that is at the time, when absent.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - reconnects: `true` if it is opened again when it was lost; otherwise the microphone ends.
    public static func device(_ device: CaptureDevice? = nil, reconnects: Bool = true) -> MicrophoneBackend {
        MicrophoneBackend { configuration in
            let options = CaptureSource.Options(
                sampleRate: configuration.sampleRate,
                channels: configuration.channels == 1 ? .mono : .stereo,
                sampleType: configuration.sampleType,
                reconnects: reconnects
            )
            let source = try await CaptureSource(device, options: options)
            return Capture(source, events: source.events, route: { source.route }, stop: { source.stop() })
        }
    }

    /// A file in place of a microphone.
    ///
    /// - Parameters:
    ///   - url: Any file that FFmpeg opens.
    ///   - speed: The speed relative to real time; `nil` for as fast as possible.
    public static func file(_ url: URL, speed: Double? = 1) -> MicrophoneBackend {
        MicrophoneBackend { configuration in
            let options = AssetReader.Options(
                sampleRate: configuration.sampleRate,
                channels: configuration.channels == 1 ? .mono : .stereo,
                sampleType: configuration.sampleType
            )
            return Capture(PacedSource(try await AssetReader(url, options: options), speed: speed))
        }
    }

    /// A stream, such as that of a radio.
    ///
    /// - Parameter url: An address that ``LiveSource`` takes.
    public static func stream(_ url: URL) -> MicrophoneBackend {
        MicrophoneBackend { configuration in
            let options = LiveSource.Options(
                sampleRate: configuration.sampleRate,
                channels: configuration.channels == 1 ? .mono : .stereo,
                sampleType: configuration.sampleType
            )
            let source = try await LiveSource(url, options: options)
            return Capture(source, events: source.events, stop: { source.stop() })
        }
    }

    /// Raw samples of the microphone's own form, of 16 bits or floating point, from an open descriptor.
    ///
    /// - Parameter descriptor: The descriptor; standard input unless stated. It stays open.
    public static func descriptor(_ descriptor: Int32 = 0) -> MicrophoneBackend {
        MicrophoneBackend { configuration in
            guard configuration.format != .pcm8 else {
                throw EarshotError(
                    .audioFormatInvalid,
                    "Raw samples are not read with 8 bits: configure the microphone for 16 bits or floating point."
                )
            }
            let format = AudioFormat(
                sampleRate: configuration.sampleRate,
                channelCount: configuration.channels,
                sampleType: configuration.sampleType
            )
            let source = try PCMSource(fileDescriptor: descriptor, format: format)
            return Capture(source, stop: { source.cancel() })
        }
    }
}

extension AudioConfiguration {
    /// The type in which sources give samples that lose nothing in this form.
    fileprivate var sampleType: AudioFormat.SampleType { format == .float32 ? .float32 : .int16 }
}
