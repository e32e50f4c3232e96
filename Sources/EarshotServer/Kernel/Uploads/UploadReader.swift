import EarshotAPI
import EarshotCore
import EarshotSignatures
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads uploaded recordings from requests.
struct UploadReader: Sendable {
    let decoder: any UploadDecoder
    /// The folder of uploads under way.
    let folder: URL
    /// The disk of that folder.
    let disk: DiskReserve
    let queue: WorkQueue
    /// The queue of recordings that are sent while they are made: their decoders mostly wait for bytes.
    let liveQueue: WorkQueue

    /// The first bytes of every signature.
    private static let signatureMagic = Array("EARSHSIG".utf8)

    /// Returns `true` if the first bytes are those of a signature file.
    static func isSignature(_ head: [UInt8]) -> Bool { head.starts(with: signatureMagic) }

    /// Reads the recording and the fields of a request.
    ///
    /// - Parameters:
    ///   - limit: The longest part of the recording to read, from its beginning; `nil` for all.
    ///   - isLive: `true` to return as soon as that part has arrived, while more is being sent.
    func read(_ context: RequestContext, limit: MediaTime?, isLive: Bool) async throws -> Upload {
        let settings = context.settings
        if let length = context.request.headers[.contentLength].flatMap({ Int($0) }), length > settings.uploadLimit,
            !isLive
        {
            throw UploadFile.tooLarge(settings.uploadLimit)
        }
        let type = context.request.headers[.contentType] ?? ""
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        switch essence {
        case "multipart/form-data": return try await multipart(context, type, limit)
        case "":
            throw EarshotError(
                .mediaTypeUnsupported,
                "The request names no Content-Type: name that of the audio, or \(ServiceAPI.signatureType)."
            )
        case ServiceAPI.signatureType, "application/octet-stream", "application/ogg": break
        default:
            guard essence.hasPrefix("audio/") || essence.hasPrefix("video/") else {
                throw EarshotError(
                    .mediaTypeUnsupported,
                    "\(essence.prefix(80)) is not taken: send audio/*, application/octet-stream, multipart/form-data or \(ServiceAPI.signatureType)."
                )
            }
            if isLive { return try await live(context, limit) }
        }
        if essence == ServiceAPI.signatureType { return Upload(signature: try await signature(context)) }
        let file = try await body(context, settings.uploadLimit)
        return Upload(signature: try await signature(of: file, essence, limit))
    }

    /// The most bytes of an uploaded signature: that of about 20 hours of audio.
    static let signatureLimit = 16 << 20

    /// Reads a body that is a signature, in memory, so that recognition goes on while the disk is full.
    private func signature(_ context: RequestContext) async throws -> Signature {
        let data = try await context.body(
            upTo: Self.signatureLimit,
            UploadFile.tooLarge(Self.signatureLimit)
        )
        guard !data.isEmpty else {
            throw EarshotError(.requestInvalid, "The request has no body: send audio or a signature.")
        }
        return try Signature(data: data)
    }

    /// Writes the body of a request into a temporary file.
    private func body(_ context: RequestContext, _ limit: Int) async throws -> UploadFile {
        try await disk.admit()
        let body = context.request.body
        let folder = folder
        let time = context.settings.uploadTime
        let length = context.request.headers[.contentLength].flatMap { Int($0) } ?? 0
        let leastTime = Duration.seconds(min(length, limit) / PaceMeter.leastPace)
        // A large file may take longer than the time limit, as long as it arrives at the least pace.
        let isLong = leastTime > time
        let box = try await withTimeLimit(isLong ? time + leastTime : time, "The upload") {
            let file = try UploadFile(in: folder)
            var pace = PaceMeter(at: MediaClock.system.now.seconds, advice: "send it again on a better connection")
            for try await part in body {
                if isLong { try pace.take(part.readableBytes, at: MediaClock.system.now.seconds) }
                try file.append(part.readableBytesView, limit: limit)
            }
            return Handed(file: file)
        }
        guard box.file.size > 0 else {
            throw EarshotError(.requestInvalid, "The request has no body: send audio or a signature.")
        }
        return box.file
    }

    /// A file. Safe to send: the task that filled it hands it over, and only the task that receives it uses it.
    private struct Handed: @unchecked Sendable {
        let file: UploadFile
    }

    private func signature(
        of file: UploadFile,
        _ type: String,
        _ limit: MediaTime?
    ) async throws(EarshotError) -> Signature {
        if type == ServiceAPI.signatureType || Self.isSignature(file.head) {
            guard file.size <= Self.signatureLimit else { throw UploadFile.tooLarge(Self.signatureLimit) }
            return try Signature(data: try file.contents())
        }
        try file.rewind()
        let handle = Handle(handle: file.handle)
        return try await queue.perform { () throws(EarshotError) in
            try await decoder.signature(reading: handle.handle, limit: limit)
        }
    }

    /// A file or an end of a pipe. Safe to send: one task at a time uses it.
    private struct Handle: @unchecked Sendable {
        let handle: FileHandle
    }

    // MARK: - Live

    /// Returns the signature of a recording that is sent while it is made. Bytes are passed to the decoder as they arrive.
    private func live(_ context: RequestContext, _ limit: MediaTime?) async throws -> Upload {
        let pipe = Pipe()
        let (input, output) = (Handle(handle: pipe.fileHandleForReading), Handle(handle: pipe.fileHandleForWriting))
        let body = context.request.body
        let signature = try await withTimeLimit(context.settings.uploadTime, "The upload") {
            try await withThrowingTaskGroup(of: Signature?.self) { group in
                group.addTask {
                    defer { try? output.handle.close() }
                    for try await part in body {
                        let data = Data(part.readableBytesView)
                        // Writing fails when the decoder has enough audio and closes its end.
                        guard await Self.write(data, output) else { break }
                    }
                    return nil
                }
                group.addTask {
                    defer { try? input.handle.close() }
                    return try await liveQueue.perform { () throws(EarshotError) in
                        try await decoder.signature(reading: input.handle, limit: limit)
                    }
                }
                defer { group.cancelAll() }
                while let next = try await group.next() {
                    if let signature = next { return signature }
                }
                throw EarshotError(
                    .requestInvalid,
                    "The upload ended before there was enough audio to recognize: send more."
                )
            }
        }
        return Upload(signature: signature)
    }

    /// Writes block until the decoder reads, so they must not use the threads that tasks share.
    private static let writing = DispatchQueue(label: "earshot.live", attributes: .concurrent)

    private static func write(_ data: Data, _ output: Handle) async -> Bool {
        await withCheckedContinuation { continuation in
            writing.async {
                do {
                    try output.handle.write(contentsOf: data)
                    continuation.resume(returning: true)
                } catch {
                    continuation.resume(returning: false)
                }
            }
        }
    }

    // MARK: - Multipart

    /// The most bytes of a form field other than the recording.
    private static let fieldLimit = 64 << 10

    private func multipart(_ context: RequestContext, _ type: String, _ limit: MediaTime?) async throws -> Upload {
        try await disk.admit()
        let (folder, settings) = (folder, context.settings)
        let body = context.request.body
        let parts = try await withTimeLimit(context.settings.uploadTime, "The upload") {
            var parser = try MultipartParser(contentType: type)
            var form = Form(folder: folder, limit: settings.uploadLimit)
            for try await part in body {
                for event in try parser.take(part.readableBytesView) { try form.take(event) }
            }
            guard parser.isComplete else {
                throw EarshotError(
                    .requestInvalid,
                    "The multipart upload ends before its last boundary: send all of it."
                )
            }
            return HandedForm(form: form)
        }
        guard let file = parts.form.file else {
            throw EarshotError(
                .requestInvalid,
                "The multipart upload has no part named sample: put the audio or the signature there."
            )
        }
        let signature = try await signature(of: file, parts.form.fileType, limit)
        return Upload(signature: signature, fields: parts.form.fields)
    }

    /// A wrapper like ``Handed``. It is safe because no task uses the form while it passes from one to the other.
    private struct HandedForm: @unchecked Sendable {
        let form: Form
    }

    private struct Form {
        let folder: URL
        let limit: Int
        var file: UploadFile?
        var fileType = ""
        var fields: [(name: String, value: String)] = []
        private var current: MultipartParser.Header?
        private var text: [UInt8] = []

        init(folder: URL, limit: Int) {
            self.folder = folder
            self.limit = limit
        }

        mutating func take(_ event: MultipartParser.Event) throws(EarshotError) {
            switch event {
            case .part(let header):
                current = header
                text = []
                if header.name == "sample" {
                    guard file == nil else {
                        throw EarshotError(
                            .requestInvalid,
                            "The multipart upload has two parts named sample: send one."
                        )
                    }
                    file = try UploadFile(in: folder)
                    fileType = header.contentType?.lowercased() ?? ""
                }
            case .content(let bytes):
                if current?.name == "sample" {
                    try file?.append(bytes, limit: limit)
                } else {
                    text.append(contentsOf: bytes)
                    guard text.count <= fieldLimit else {
                        throw EarshotError(
                            .uploadTooLarge,
                            "The field \(current?.name.prefix(40) ?? "") has more than 64 KiB: shorten it."
                        )
                    }
                }
            case .partEnd:
                if let current, current.name != "sample" {
                    fields.append((current.name, String(decoding: text, as: UTF8.self)))
                }
                current = nil
            case .end: break
            }
        }
    }
}
