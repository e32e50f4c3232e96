// One import for an app: `import Earshot` brings time, audio, reading, signatures, catalogs and sessions.
@_exported public import EarshotCatalogs
@_exported public import EarshotCore
@_exported public import EarshotDSP
@_exported public import EarshotMedia
@_exported public import EarshotSessions
@_exported public import EarshotSignatures
@_exported public import EarshotTimedContent
