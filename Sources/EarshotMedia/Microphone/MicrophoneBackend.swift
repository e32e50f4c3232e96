public import EarshotCore
public import Foundation

/// The source of a ``Microphone``: a capture device, a file, standard input, a stream, or a source of the app.
public struct MicrophoneBackend: Sendable {
    /// An open source of audio.
    public struct Capture: Sendable {
        /// The audio, at the requested sample rate. Channels and sample format may differ: they are converted.
        public var source: any AudioSource
        /// The events besides the audio; `nil` if there are none.
        public var events: AsyncStream<CaptureEvent>?
        /// Returns the name of the current device; `nil` if it has none. A different name after an interruption is a
        /// change of route.
        public var route: @Sendable () -> String?
        /// Stops the capture, from any thread, without waiting.
        public var stop: @Sendable () -> Void

        /// Creates a capture from an open source.
        ///
        /// - Parameters:
        ///   - source: The audio, at the requested sample rate.
        ///   - events: The events besides the audio, for this one reader.
        ///   - route: Returns the name of the current device.
        ///   - stop: Stops the capture.
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

    /// Creates a custom source.
    ///
    /// - Parameter open: Opens the source at each start of the microphone. The start throws its `EarshotError`; any
    ///   other error, such as a denied permission, becomes the cause of `microphoneUnavailable`.
    public init(open: @escaping @Sendable (AudioConfiguration) async throws -> Capture) {
        self.open = open
    }

    /// Returns a backend for a capture device.
    ///
    /// - Parameters:
    ///   - device: The device; `nil` for the default device at each start.
    ///   - reconnects: `true` to reopen a lost device; otherwise the microphone ends.
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

    /// Returns a backend that delivers a file in place of a microphone.
    ///
    /// - Parameters:
    ///   - url: A file that FFmpeg can open.
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

    /// Returns a backend for a stream, such as internet radio.
    ///
    /// - Parameter url: An address that ``LiveSource`` can open.
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

    /// Returns a backend that reads raw samples in the microphone's format, 16 bits or floating point, from a file
    /// descriptor.
    ///
    /// - Parameter descriptor: The descriptor, which stays open. Default: standard input.
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
