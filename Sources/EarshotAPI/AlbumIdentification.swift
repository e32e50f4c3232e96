package import EarshotCore
package import EarshotRecognition

/// Files that are to be identified together.
package struct AlbumRequest: Hashable, Sendable, Codable {
    /// The files.
    package var files: [FileAttributes]
    /// The kinds of evidence that may be used, by the names of ``AlbumEvidence/named``; all if `nil`.
    package var evidence: [String]?

    /// A request.
    package init(_ query: AlbumQuery) {
        files = query.files.map { $0.limited(to: query.evidence) }
        evidence =
            query.evidence == .all
            ? nil : AlbumEvidence.named.filter { query.evidence.contains($0.evidence) }.map(\.name)
    }

    /// The question that it stands for.
    ///
    /// - Throws: `requestInvalid` for a kind of evidence that there is not.
    package func query() throws(EarshotError) -> AlbumQuery {
        guard let evidence else { return AlbumQuery(files) }
        var kinds: AlbumEvidence = []
        for name in evidence {
            guard let kind = AlbumEvidence.named.first(where: { $0.name == name })?.evidence else {
                let known = AlbumEvidence.named.map(\.name).joined(separator: ", ")
                throw EarshotError(.requestInvalid, "evidence holds \"\(name.prefix(40))\": choose from \(known).")
            }
            kinds.insert(kind)
        }
        return AlbumQuery(files, evidence: kinds)
    }
}

/// The decisions for the files of a request, in its order.
package struct AlbumDecisions: Hashable, Sendable, Codable {
    /// The most files that a request may have.
    package static let fileLimit = 100

    /// A decision for each file.
    package var files: [FileDecision]

    /// An answer.
    package init(_ files: [FileDecision]) { self.files = files }
}
