import EarshotCatalogs
package import EarshotCore

extension SharedCatalog {
    /// Answers a round of another node's search for those of the segments that are here. Blocks; waits for no file.
    ///
    /// - Throws: As `Catalog.answer`.
    package func answer(_ request: NodeSearchRequest) throws(EarshotError) -> NodeSearchAnswer {
        let (view, retired) = viewWithRetired(at: clock.now.seconds)
        if view.manifest.generation < request.generation { follow() }
        var parts: [SearchPart?] = view.parts.map { _ in nil }
        var others: [(part: SegmentPart, place: SearchPart)] = []
        for asked in request.parts {
            // `numbers` leaves out a merged segment that is searched in its sources, whose references have other numbers there: the root asks a
            // node that has the merged file.
            if let number = view.numbers[asked.object] {
                if view.parts[number].removed.count >= asked.removedCount { parts[number] = asked.place }
            } else if let part = retired[asked.object], part.removed.count >= asked.removedCount {
                others.append((part, asked.place))
            }
        }
        var catalog = view.catalog
        if !others.isEmpty {
            catalog = Catalog(
                view.parts + others.map(\.part),
                limits: view.manifest.limits,
                identity: view.catalog.identity
            )
            parts += others.map(\.place)
        }
        let answer = try catalog.answer(request.round, to: request.query, parts: parts)
        return NodeSearchAnswer(generation: view.manifest.generation, answer: answer)
    }
}
