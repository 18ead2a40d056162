#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cochlea {

/// Queue for the frames of one stream between arrival and decoding. Its limits are a duration and a number of
/// bytes. The duration of a frame is counted in units: samples for coded frames, bytes for PCM.
class FrameQueue {
 public:
  struct Frame {
    const std::uint8_t* bytes;
    std::size_t length;
    std::size_t units;
    std::uint32_t arrival;
  };

  /// Numbers of frames, units and bytes that `push` dropped.
  struct Loss {
    std::size_t frames = 0;
    std::size_t units = 0;
    std::size_t bytes = 0;
  };

  FrameQueue(std::size_t maxUnits, std::size_t maxBytes) : maxUnits_(maxUnits), maxBytes_(maxBytes) {}

  /// Copies a frame into the queue, and drops the oldest frames until it fits. If a frame exceeds the limits
  /// of an empty queue, it is still accepted.
  /// @param arrival stored with the frame, in any unit
  Loss push(const std::uint8_t* bytes, std::size_t length, std::size_t units, std::uint32_t arrival = 0);

  bool empty() const { return frames_ == 0; }

  /// Returns the number of frames in the queue.
  std::size_t frames() const { return frames_; }

  /// Returns the number of undecoded units.
  std::size_t units() const { return units_; }

  /// Returns the number of bytes in the queue, including the headers that describe the frames.
  std::size_t size() const { return data_.size() - head_; }

  /// Returns the oldest frame. It is valid until the next call. The queue must not be empty.
  Frame front() const;

  /// Removes `bytes` and `units` from the start of the oldest frame. Removes the frame if it is then empty.
  void consume(std::size_t bytes, std::size_t units);

  /// Removes the oldest frame.
  void pop();

  std::size_t bytes() const { return data_.capacity(); }

 private:
  void makeSpace(std::size_t count);

  std::size_t maxUnits_;
  std::size_t maxBytes_;
  std::vector<std::uint8_t> data_;
  /// `head_`: offset of the oldest frame's header. `taken_` and `takenUnits_`: bytes and units already
  /// removed from that frame.
  std::size_t head_ = 0;
  std::size_t taken_ = 0;
  std::size_t takenUnits_ = 0;
  std::size_t frames_ = 0;
  std::size_t units_ = 0;
};

}  // namespace cochlea
