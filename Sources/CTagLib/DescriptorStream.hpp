// An open descriptor as TagLib reads and writes it. TagLib's own stream does not tell when a disk is full.
#pragma once

#include <taglib.h>
#include <tiostream.h>

namespace earshot {

// TagLib 1 measures files in `long`.
#if TAGLIB_MAJOR_VERSION >= 2
using Offset = TagLib::offset_t;
using Size = size_t;
using InsertOffset = TagLib::offset_t;
#else
using Offset = long;
using Size = unsigned long;
using InsertOffset = unsigned long;
#endif

class DescriptorStream : public TagLib::IOStream {
public:
    explicit DescriptorStream(int descriptor);

    /// The `errno` of the first call that failed; 0 without one. After it nothing more is written.
    int error() const { return error_; }

    TagLib::FileName name() const override;
    TagLib::ByteVector readBlock(Size length) override;
    void writeBlock(const TagLib::ByteVector &data) override;
    void insert(const TagLib::ByteVector &data, InsertOffset start, Size replace) override;
    void removeBlock(InsertOffset start, Size length) override;
    bool readOnly() const override;
    bool isOpen() const override;
    void seek(Offset offset, Position position = Beginning) override;
    Offset tell() const override;
    Offset length() override;
    void truncate(Offset length) override;

private:
    bool readAll(char *bytes, size_t count, Offset offset);
    void writeAll(const char *bytes, size_t count, Offset offset);
    /// Moves everything from `start` on by `distance`, in either direction.
    void shift(Offset start, Offset distance);

    int descriptor_;
    bool readOnly_;
    Offset position_ = 0;
    int error_ = 0;
};

}  // namespace earshot
