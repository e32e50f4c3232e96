import EarshotCatalogs
import EarshotCore
import EarshotNodes
import Synchronization

extension SharedCatalog {
    /// Makes a manifest the one that is searched, as far as its segments are here, and starts to fetch others.
    ///
    /// - Parameters:
    ///   - manifest: The manifest as the database has it; the one of the view to look for fetched segments only.
    ///   - dropped: Segments that were merged into those of the manifest.
    func show(_ manifest: SharedManifest, _ dropped: [SharedSegment]) {
        let now = clock.now.seconds
        let wanted = state.withLock { state in
            let isFirst = state.view.manifest.generation == 0
            var resolution = Resolution(state.known, cache)
            for segment in dropped where resolution.known[segment.object] == nil {
                resolution.known[segment.object] = segment
            }
            let placement = state.placement(of: manifest)
            let before = state.view
            state.view = view(of: manifest, placement, &resolution)
            if state.view.missing.isEmpty { state.wholeGeneration = manifest.generation }
            state.isStale = false
            state.retired = state.retired.filter { state.view.numbers[$0.key] == nil }
            for (object, number) in before.numbers
            where state.view.numbers[object] == nil && state.retired[object] == nil {
                state.retired[object] = (before.parts[number], now + Self.retirement)
            }
            state.known = resolution.used
            state.missedSince = Dictionary(
                uniqueKeysWithValues: Set(state.view.missing.map(\.object)).map { object in
                    (object, state.missedSince[object] ?? (isFirst ? -.infinity : now))
                }
            )
            state.pacing.keep { resolution.used[$0] != nil }
            let spare = placement.map { self.spare(of: manifest, $0) } ?? []
            state.needed = Set(resolution.used.keys).union(spare)
            state.nextEviction = now + Self.evictionInterval
            return next(&state, at: now)
        }
        for object in wanted { fetch(object) }
    }

    /// Returns the view of a manifest: the segments that can be searched, and those that are missing or held elsewhere.
    private func view(
        of manifest: SharedManifest,
        _ placement: SegmentPlacement?,
        _ resolution: inout Resolution
    ) -> View {
        var view = View(manifest: manifest, catalog: Catalog())
        var held: Set<String>?
        if let placement, let place { held = placement.held(by: place, of: manifest.segments) }
        for segment in manifest.segments where segment.count > 0 {
            resolution.known[segment.object] = segment
            if let held, !held.contains(segment.object) {
                // A segment that is placed elsewhere may still be here, from before or because this node wrote it. It is searched while it is
                // here, so that it can be found until its holders have fetched it (decision 29).
                if let file = cache.open(segment.object) {
                    view.numbers[segment.object] = view.parts.count
                    view.parts.append(SegmentPart(file, removed: segment.removed))
                } else {
                    view.elsewhere.append(segment)
                }
                continue
            }
            let (parts, isWhole) = resolution.parts(of: segment)
            if !isWhole {
                view.missing.append(segment)
                view.missingReferenceCount +=
                    segment.count - parts.reduce(0) { $0 + $1.file.referenceCount - $1.removed.count }
            } else if parts.first?.file.url != cache.open(segment.object)?.url {
                view.replaced.append(segment)
            } else {
                view.numbers[segment.object] = view.parts.count
            }
            view.parts += parts
        }
        view.catalog = Self.catalog(name, manifest, view.parts)
        return view
    }

    /// Returns the objects of segments that are placed elsewhere, are open here, and stay while there is room. Those that this node would hold
    /// next come first.
    private func spare(of manifest: SharedManifest, _ placement: SegmentPlacement) -> [String] {
        guard let place, let node = placement.nodes[place] else { return [] }
        var room = node.cacheBytes ?? 0
        let held = placement.held(by: place, of: manifest.segments)
        var others: [(segment: SharedSegment, rank: Int)] = []
        for segment in manifest.segments where segment.count > 0 {
            guard let rank = placement.rank(of: place, for: segment.object) else { continue }
            if held.contains(segment.object) {
                room -= segment.size
            } else if cache.open(segment.object) != nil {
                others.append((segment, rank))
            }
        }
        var spare: [String] = []
        for (segment, _) in others.sorted(by: { ($0.rank, $0.segment.object) < ($1.rank, $1.segment.object) })
        where segment.size <= room {
            room -= segment.size
            spare.append(segment.object)
        }
        return spare
    }

    /// Chooses the objects that are fetched next, and marks them as being fetched.
    private func next(_ state: inout State, at now: Double) -> [String] {
        var wanted = (state.view.missing + state.view.replaced).map { (object: $0.object, size: $0.size) }
        // Sources that an earlier process left in the folder can be searched until the merged segment is here.
        for source in state.view.missing.flatMap(\.sources) where cache.isOnDisk(source.object) {
            wanted.append((source.object, 0))
        }
        var next: [String] = []
        // The smallest first: new references are in small segments, and are found soon however much else there is to fetch.
        let ranked = wanted.map { (probes: state.pacing.probes(of: $0.object), object: $0.object, size: $0.size) }
        for (_, object, size) in ranked.sorted(by: { ($0.probes, $0.size) < ($1.probes, $1.size) }) {
            guard state.fetching.count < Self.lanes.all else { break }
            let large = state.fetching.values.count { $0.size >= Self.largeSize }
            guard size < Self.largeSize || large < Self.lanes.large, state.fetching[object] == nil,
                cache.open(object) == nil
            else { continue }
            let isLocal = cache.isOnDisk(object)
            let underWay = state.fetching.values.count { !$0.isLocal }
            guard state.pacing.allows(object, isLocal: isLocal, at: now, underWay: underWay) else { continue }
            state.fetching[object] = (size, isLocal)
            next.append(object)
        }
        return next
    }
}
