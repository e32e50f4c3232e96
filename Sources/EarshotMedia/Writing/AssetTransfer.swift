import EarshotCore

/// The parts of a transfer from a reader to a writer.
protocol TransferParts {
    /// Moves all blocks.
    func move() async throws
    func finishInput()
    func finishWriter() async throws -> WrittenFile
    /// Does not want the file any more.
    func cancelWriter()
    func cancelReader()
}

extension TransferParts {
    /// Moves everything and ends in good order: the input first, so that the writer knows that nothing more comes, then the writer, and
    /// the reader at last, which is given back however it went.
    func run() async throws -> WrittenFile {
        defer { cancelReader() }
        do {
            try await move()
            finishInput()
            return try await finishWriter()
        } catch {
            cancelWriter()
            throw error
        }
    }
}

extension AssetWriter {
    /// Writes all audio of a reader: adds the input, starts, writes all blocks, and finishes.
    ///
    /// - Parameters:
    ///   - reader: The source of the audio; it is canceled at the end.
    ///   - encoding: The encoding; `nil` for the default of the file type.
    ///   - dithers: `true` to dither when the number of bits per sample is reduced.
    /// - Returns: The written file.
    /// - Throws: The errors of adding the input, starting, reading and writing; always an `EarshotError`.
    @discardableResult
    public func write(
        _ reader: AssetReader,
        encoding: AudioEncoding? = nil,
        dithers: Bool = true
    ) async throws -> WrittenFile {
        let input = try addInput(reader.format, encoding: encoding, dithers: dithers)
        try await start()
        return try await AssetTransfer(reader: reader, input: input, writer: self).run()
    }
}

private struct AssetTransfer: TransferParts {
    let reader: AssetReader
    let input: AssetWriter.Input
    let writer: AssetWriter

    func move() async throws {
        for try await block in reader { try await input.append(block) }
    }

    func finishInput() { input.finish() }
    func finishWriter() async throws -> WrittenFile { try await writer.finish() }
    func cancelWriter() { writer.cancel() }
    func cancelReader() { reader.cancel() }
}
