import ArgumentParser
import CommandKit
import Earshot
import EarshotCatalogs
import Foundation

/// The forms in which a tracklist is written.
enum TracklistFormat: String, CaseIterable, ExpressibleByArgument {
    case text, cue, json, csv

    /// The form that a file's suffix stands for.
    init?(suffixOf path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "txt": self = .text
        case let suffix: self.init(rawValue: suffix)
        }
    }

    /// A tracklist in this form, ended by a line feed.
    func text(of list: Tracklist) throws -> String {
        switch self {
        case .text: list.text()
        case .cue: list.cueSheet()
        case .json: try JSON.document(list.record) + "\n"
        case .csv: list.table()
        }
    }
}
