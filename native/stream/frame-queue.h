#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cochlea {

/// Frames of one stream between arrival and decoding, bounded by how long they last and by bytes. Units say
/// how long a frame lasts: samples for coded frames, bytes for PCM.
class FrameQueue {
 public:
  struct Frame {
    const std::uint8_t* bytes;
    std::size_t length;
    std::size_t units;
    std::uint32_t arrival;
  };

  /// What `push` dropped.
  struct Loss {
    std::size_t frames = 0;
    std::size_t units = 0;
    std::size_t bytes = 0;
  };

  FrameQueue(std::size_t maxUnits, std::size_t maxBytes) : maxUnits_(maxUnits), maxBytes_(maxBytes) {}

  /// Copies a frame in, dropping the oldest until it fits. A frame too large for an empty frame queue is
  /// still taken.
  /// @param arrival kept with the frame, whatever its unit
  Loss push(const std::uint8_t* bytes, std::size_t length, std::size_t units, std::uint32_t arrival = 0);

  bool empty() const { return frames_ == 0; }

  /// Frames not taken off.
  std::size_t frames() const { return frames_; }

  /// Undecoded units.
  std::size_t units() const { return units_; }

  /// The oldest frame, borrowed until the next call. Not for an empty queue.
  Frame front() const;

  /// Takes `bytes` and `units` off the oldest frame, and the frame itself when nothing is left of it.
  void consume(std::size_t bytes, std::size_t units);

  /// Takes the oldest frame off.
  void pop();

  std::size_t bytes() const { return data_.capacity(); }

 private:
  void makeSpace(std::size_t count);

  std::size_t maxUnits_;
  std::size_t maxBytes_;
  std::vector<std::uint8_t> data_;
  /// Of the oldest frame: its header, and bytes and units already taken from it.
  std::size_t head_ = 0;
  std::size_t taken_ = 0;
  std::size_t takenUnits_ = 0;
  std::size_t frames_ = 0;
  std::size_t units_ = 0;
};

}  // namespace cochlea
