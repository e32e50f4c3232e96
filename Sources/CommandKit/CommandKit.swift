// The commands print what this module tells them of.
@_exported public import EarshotIngest
