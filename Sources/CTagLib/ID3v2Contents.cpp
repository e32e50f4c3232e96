#include "Contents.hpp"

#include <attachedpictureframe.h>
#include <commentsframe.h>
#include <id3v2framefactory.h>
#include <id3v2header.h>
#include <memory>
#include <textidentificationframe.h>
#include <unsynchronizedlyricsframe.h>

namespace earshot {

using namespace TagLib;

namespace {

/// TagLib keeps to itself what a frame says as properties, and its flags; a subclass may see both.
struct FrameView : ID3v2::Frame {
    static PropertyMap properties(const ID3v2::Frame &frame) { return (frame.*(&FrameView::asProperties))(); }

    /// Whether TagLib leaves the frame out when it writes.
    static bool isLeftOut(const ID3v2::Frame &frame) {
        Header *header = (frame.*(&FrameView::header))();
        return header->tagAlterPreservation() || header->frameID().size() != 4;
    }

    /// Whether the frame has flags that TagLib does not write, and that its bytes mean nothing without.
    static bool losesFlags(const ID3v2::Frame &frame) {
        Header *header = (frame.*(&FrameView::header))();
        return header->encryption() || header->groupingIdentity();
    }
};

std::string name(const ID3v2::Frame &frame) {
    ByteVector id = frame.frameID();
    std::string result(id.data(), id.size());
    auto text = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(&frame);
    return text ? result + ":" + earshot::text(text->description()) : result;
}

/// A frame of version 2.4 with the content of another; null for what no frame can be made of.
ID3v2::Frame *parsed(const Other &other) {
    if (other.name.size() < 4 || other.data.isEmpty()) return nullptr;
    ByteVector bytes(other.name.data(), 4);
    for (int shift = 21; shift >= 0; shift -= 7) bytes.append(static_cast<char>(other.data.size() >> shift & 0x7F));
    bytes.append(ByteVector(2, '\0'));
    bytes.append(other.data);
    ID3v2::Header header;
    return ID3v2::FrameFactory::instance()->createFrame(bytes, &header);
}

void add(const PropertyMap &properties, PropertyMap &sum) {
    for (const auto &property : properties) sum[property.first].append(property.second);
}

}  // namespace

void read(const ID3v2::Tag &tag, Contents &contents) {
    for (const ID3v2::Frame *frame : tag.frameList()) {
        if (FrameView::losesFlags(*frame)) contents.unsafe = "the encrypted or grouped frame " + name(*frame);
        if (auto apic = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame)) {
            contents.pictures.push_back(
                {static_cast<int>(apic->type()), text(apic->mimeType()), text(apic->description()), apic->picture()});
            continue;
        }
        std::string title;
        if (auto comment = dynamic_cast<const ID3v2::CommentsFrame *>(frame)) title = "COMM:" + text(comment->description());
        if (auto lyrics = dynamic_cast<const ID3v2::UnsynchronizedLyricsFrame *>(frame)) {
            title = "USLT:" + text(lyrics->description());
        }
        if (!title.empty()) contents.spoken.push_back({title, frame->render().mid(10)});
        if (!FrameView::isLeftOut(*frame) && !FrameView::properties(*frame).isEmpty()) continue;
        // Without the header of 10 bytes, which differs between versions.
        contents.others.push_back({name(*frame), frame->render().mid(10), FrameView::isLeftOut(*frame)});
    }
    add(tag.properties(), contents.properties);
}

// Not through the tag's own `setProperties`: that one gives every frame that shares a property with another the same new
// form, and so loses the languages of comments and lyrics that nobody wanted to change.
std::string apply(const Edit &edit, ID3v2::Tag &tag, bool pictures) {
    PropertyMap wanted;
    for (const auto &property : edit.properties) {
        if (!property.second.isEmpty()) wanted.insert(property.first, property.second);
    }
    ID3v2::Tag draft;
    draft.setProperties(wanted);
    // Who did what stands in one frame for all roles, so that a new role needs those that are there.
    const ByteVector lists[] = {"TIPL", "TMCL"};
    ID3v2::FrameList removed;
    for (ID3v2::Frame *frame : tag.frameList()) {
        if (FrameView::isLeftOut(*frame)) continue;
        PropertyMap properties = FrameView::properties(*frame);
        PropertyMap rest;
        for (const auto &property : properties) {
            if (!edit.properties.contains(property.first)) rest.insert(property.first, property.second);
        }
        bool isTouched = rest.size() < properties.size();
        for (const ByteVector &list : lists) {
            if (frame->frameID() == list && !properties.isEmpty() && draft.frameListMap().contains(list)) isTouched = true;
        }
        if (!isTouched) continue;
        removed.append(frame);
        add(rest, wanted);
    }
    for (ID3v2::Frame *frame : removed) tag.removeFrame(frame);
    draft.setProperties(wanted);
    ID3v2::Header header;
    for (const ID3v2::Frame *frame : draft.frameList()) {
        // A frame belongs to its tag: the other gets one of the same bytes.
        ID3v2::Frame *copy = ID3v2::FrameFactory::instance()->createFrame(frame->render(), &header);
        if (copy == nullptr) return name(*frame);
        tag.addFrame(copy);
    }
    if (!pictures) return {};
    for (const Other &other : edit.others) {
        ID3v2::Frame *frame = parsed(other);
        if (frame == nullptr) return other.name;
        tag.addFrame(frame);
    }
    ID3v2::FrameList old;
    for (ID3v2::Frame *frame : tag.frameList("APIC")) {
        auto apic = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame);
        if (apic && edit.removes(apic->type())) old.append(frame);
    }
    for (ID3v2::Frame *frame : old) tag.removeFrame(frame);
    for (const Picture &picture : edit.pictures) {
        auto frame = std::make_unique<ID3v2::AttachedPictureFrame>();
        frame->setType(static_cast<ID3v2::AttachedPictureFrame::Type>(picture.type));
        frame->setMimeType(string(picture.mimeType));
        frame->setTextEncoding(String::UTF8);
        frame->setDescription(string(picture.description));
        frame->setPicture(picture.data);
        tag.addFrame(frame.release());
    }
    return {};
}

}  // namespace earshot
