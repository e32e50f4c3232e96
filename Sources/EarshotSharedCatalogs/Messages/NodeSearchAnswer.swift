package import EarshotCatalogs
package import EarshotCore

/// The answer of a node to a round: what it found in the segments that it has. Those that it does not name it lacks.
package struct NodeSearchAnswer: Sendable {
    /// The generation of the catalog that the node searches.
    package var generation: Int
    package var answer: RoundAnswer

    package init(generation: Int, answer: RoundAnswer) { (self.generation, self.answer) = (generation, answer) }
}

extension NodeSearchAnswer {
    static let magic = Array("EARSHNSA".utf8)
    /// The most bytes of an answer.
    package static let largest = 16 << 20

    /// Returns the message as bytes.
    ///
    /// - Throws: `internalError` for numbers that have no JSON form.
    package func bytes() throws(EarshotError) -> [UInt8] {
        var writer = ByteWriter()
        NodeSearchForm.writeHead(Self.magic, to: &writer)
        writer.writeVariable(UInt64(clamping: generation))
        NodeSearchForm.write(try NodeSearchForm.json(answer), to: &writer)
        return writer.bytes
    }

    /// Reads the answer to a request.
    ///
    /// - Throws: `NodeSearchFault`.
    package init(bytes: [UInt8], to request: NodeSearchRequest) throws(NodeSearchFault) {
        var reader = try NodeSearchForm.reader(bytes, Self.magic, largest: Self.largest)
        guard let generation = NodeSearchForm.integer(&reader), let json = NodeSearchForm.read(&reader),
            reader.remaining == 0
        else { throw .malformed("It is cut short, or has a wrong length.") }
        let answer: RoundAnswer = try NodeSearchForm.value(json)
        guard answer.isPossible(asked: Set(request.parts.map(\.place.segment))) else {
            throw .malformed("Its numbers contradict each other.")
        }
        self.init(generation: generation, answer: answer)
    }
}
