/// A reason why bytes are not a file of a format. Each format words its own error.
package enum FormatDamage: Error, Hashable {
    /// The bytes begin with another magic number.
    case foreign
    /// The version is not known.
    case version(major: UInt16, minor: UInt16)
    /// The file ends before its fixed part does.
    case truncated
    /// The length in the file is not that of the file.
    case length
    /// The checksum does not fit.
    case checksum
    /// A section lies outside of the file, or not where a section may begin.
    case misplacedSection
    /// A section occurs twice.
    case repeatedSection
    /// A section is missing.
    case missingSection
}
