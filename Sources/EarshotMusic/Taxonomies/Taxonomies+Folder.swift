public import EarshotCore
public import Foundation

extension Taxonomies {
    /// Reads an operator's own hierarchies from a folder and puts them over others.
    ///
    /// Every file in the folder whose name ends with `.tsv` is read, those of folders in it are not. A file takes the place
    /// of the hierarchy of its kind and countries, or adds to it when it says that it `extends` it. International genres
    /// that are replaced take the hierarchies of countries with them, since those stand for genres that may be gone.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - base: The taxonomies for kinds and countries that the folder does not contain.
    /// - Throws: `assetNotFound` if the folder does not exist or has no such file, `assetUnreadable` if a file cannot
    ///   be read, `taxonomyInvalid` for an error in a file.
    public init(contentsOf folder: URL, over base: Taxonomies = .builtIn) throws(EarshotError) {
        var files: [TaxonomyFile] = []
        for url in try Self.files(in: folder) {
            let data: Data
            do {
                // One byte more than may be there, so that a large file is refused without being read.
                let handle = try FileHandle(forReadingFrom: url)
                defer { try? handle.close() }
                data = try handle.read(upToCount: Taxonomy.Limits.fileBytes + 1) ?? Data()
            } catch {
                throw EarshotError(.assetUnreadable, "\(url.path) cannot be read: check its rights.", cause: error)
            }
            files.append(try TaxonomyFile(data, name: url.lastPathComponent))
        }
        try self.init(files, over: base)
    }

    /// Puts files over hierarchies: international ones first, which those of countries refer to.
    init(_ files: [TaxonomyFile], over base: Taxonomies) throws(EarshotError) {
        var parts: [Part: Taxonomy] = [:]
        for taxonomy in base.all { parts.put(taxonomy) }
        var owners: [Part: String] = [:]
        for file in files.filter(\.countries.isEmpty) + files.filter({ !$0.countries.isEmpty }) {
            for part in Part.all(file.kind, file.countries) {
                if let other = owners.updateValue(file.source.file ?? "", forKey: part) {
                    throw file.source.fault("is of the same kind and country as \(other); make one file of them")
                }
            }
            if file.countries.isEmpty, file.kind == .genre, !file.extends {
                parts = parts.filter { $0.key.country == nil }
            }
            parts.put(try Taxonomy(file, extending: parts[Part(kind: file.kind, country: file.countries.first)]))
        }
        // One that several countries share is one.
        var taxonomies: [Taxonomy] = []
        for (part, taxonomy) in parts.sorted(by: { ($0.key.country ?? "") < ($1.key.country ?? "") }) {
            guard let country = part.country else {
                taxonomies.append(taxonomy)
                continue
            }
            if let index = taxonomies.firstIndex(where: { !$0.countries.isEmpty && $0.nodes == taxonomy.nodes }) {
                taxonomies[index] = try taxonomies[index].of(taxonomies[index].countries + [country])
            } else {
                taxonomies.append(try taxonomy.of([country]))
            }
        }
        try self.init(taxonomies)
    }

    private static func files(in folder: URL) throws(EarshotError) -> [URL] {
        let all: [URL]
        do {
            all = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        } catch {
            throw EarshotError(
                .assetNotFound,
                "\(folder.path) is no folder that can be read: check the path.",
                cause: error
            )
        }
        let files = all.filter { $0.pathExtension == "tsv" && !$0.lastPathComponent.hasPrefix(".") }
        guard !files.isEmpty else {
            throw EarshotError(
                .assetNotFound,
                "\(folder.path) has no file of a taxonomy: name a folder with .tsv files."
            )
        }
        guard files.count <= Taxonomy.Limits.files else {
            throw EarshotError(
                .taxonomyInvalid,
                "\(folder.path) has \(files.count) files, and \(Taxonomy.Limits.files) are allowed: remove some."
            )
        }
        return files.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The kind of descriptors and the country that one hierarchy is for.
    fileprivate struct Part: Hashable {
        var kind: DescriptorKind
        var country: String?

        static func all(_ kind: DescriptorKind, _ countries: [String]) -> [Part] {
            countries.isEmpty ? [Part(kind: kind)] : countries.map { Part(kind: kind, country: $0) }
        }
    }
}

extension [Taxonomies.Part: Taxonomy] {
    fileprivate mutating func put(_ taxonomy: Taxonomy) {
        for part in Taxonomies.Part.all(taxonomy.kind, taxonomy.countries) { self[part] = taxonomy }
    }
}

extension Taxonomy {
    /// The same hierarchy for other countries.
    fileprivate func of(_ countries: [String]) throws(EarshotError) -> Taxonomy {
        try Taxonomy(kind: kind, version: version, countries: countries, nodes: nodes)
    }
}
