package import EarshotCore
import EarshotSignatures

extension Catalog {
    /// A page of the list of references, without their signatures.
    package struct Page: Sendable {
        /// The references, in order of adding.
        package var references: [ReferenceSummary] = []
        /// The number of references that meet the condition, on all pages together.
        package var total = 0
    }

    /// Returns a page of the list of references.
    ///
    /// Without a condition only the references of the page are read. With one, the names and media items of all are
    /// read.
    ///
    /// - Parameters:
    ///   - offset: The number of references before the page.
    ///   - limit: The largest number of references on the page.
    ///   - fits: Returns `true` for references to list; `nil` lists all.
    /// - Throws: `catalogInvalid` if a reference that is read is damaged.
    package func page(
        offset: Int,
        limit: Int,
        where fits: ((ReferenceSummary) -> Bool)? = nil
    ) throws(EarshotError) -> Page {
        var page = Page()
        func take(_ read: () throws(EarshotError) -> ReferenceSummary) throws(EarshotError) {
            let isOnPage = page.total >= offset && page.references.count < limit
            if fits == nil && !isOnPage {
                page.total += 1
                return
            }
            let summary = try read()
            guard fits?(summary) ?? true else { return }
            if page.total >= offset, page.references.count < limit { page.references.append(summary) }
            page.total += 1
        }
        for target in targets {
            for number in 0..<target.segment.referenceCount where !target.removed.contains(number) {
                try take { () throws(EarshotError) in try summary(number, of: target) }
            }
        }
        for reference in pending {
            try take { () throws(EarshotError) in
                ReferenceSummary(id: reference.id, duration: reference.signature.duration, items: reference.items)
            }
        }
        return page
    }

    private func summary(_ number: Int, of target: MaskedSegment) throws(EarshotError) -> ReferenceSummary {
        guard let id = target.segment.id(number), let items = target.segment.items(number) else {
            throw EarshotError(
                .catalogInvalid,
                "\(name) is damaged: reference \(number + 1) cannot be read. Make the catalog again."
            )
        }
        return ReferenceSummary(id: id, duration: target.segment.records[number].duration, items: items)
    }
}
