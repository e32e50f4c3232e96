/// The file name extensions by which media files are recognized in folders.
package enum MediaSuffixes {
    /// The extensions of files that may contain audio, including videos; in lower case, without the point.
    package static let audible: Set<String> = [
        "3g2", "3gp", "aac", "ac3", "adts", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "avi", "awb", "caf",
        "dff", "dsf", "dts", "eac3", "flac", "flv", "g722", "gsm", "m2ts", "m4a", "m4b", "m4v", "mka", "mkv", "mlp",
        "mov", "mp1", "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "ra", "rm", "rf64", "shn",
        "snd", "spx", "tak", "thd", "ts", "tta", "voc", "vob", "w64", "wav", "webm", "wma", "wmv", "wv",
    ]
}
