package import EarshotCore
package import EarshotRecognition

/// The body of a request to identify the albums of files together.
package struct AlbumRequest: Hashable, Sendable, Codable {
    /// The names, tags, identifiers and fingerprints of the files, as far as the evidence allows them.
    package var files: [FileAttributes]
    /// The kinds of evidence that may be used, by the names of ``AlbumEvidence/named``; all if `nil`.
    package var evidence: [String]?

    /// Creates a request from a query, without the attributes that its evidence excludes.
    package init(_ query: AlbumQuery) {
        files = query.files.map { $0.limited(to: query.evidence) }
        evidence =
            query.evidence == .all
            ? nil : AlbumEvidence.named.filter { query.evidence.contains($0.evidence) }.map(\.name)
    }

    /// Returns the query that the request encodes.
    ///
    /// - Throws: `requestInvalid` for an unknown kind of evidence.
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

/// The response with the decisions for the files of an ``AlbumRequest``, in its order.
package struct AlbumDecisions: Hashable, Sendable, Codable {
    /// The largest number of files in a request.
    package static let fileLimit = 100

    /// One decision for each file of the request.
    package var files: [FileDecision]
    /// The part of the catalog that was searched; `nil` if all of it was.
    package var searched: SearchedPart?

    /// Creates a response.
    package init(_ files: [FileDecision], searched: SearchedPart? = nil) {
        (self.files, self.searched) = (files, searched)
    }
}
