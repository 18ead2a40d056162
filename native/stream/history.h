#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cochlea {

/// Samples that later utterances may contain. They are stored in blocks of equal size, so a block that one
/// stream frees fits any other stream. Arrays that grow by doubling would leave gaps of every size in memory,
/// and up to half of their space would be unused.
class History {
 public:
  /// Number of samples in a block.
  static constexpr std::size_t kBlock = 1024;

  void append(const std::int16_t* samples, std::size_t count);

  void appendSilence(std::size_t count);

  /// Removes the oldest samples.
  /// @param count at most `size`
  void drop(std::size_t count);

  /// Contiguous samples, valid until the history changes.
  struct Piece {
    const std::int16_t* samples;
    std::size_t count;
  };

  /// Returns the contiguous samples that start at `index`.
  /// @param index below `size`
  Piece from(std::size_t index) const;

  std::size_t size() const { return size_; }

  /// Returns the number of bytes of memory.
  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(std::int16_t); }

 private:
  /// Returns contiguous space behind the newest sample.
  /// @param count number of wanted samples; reduced to the available space
  std::int16_t* space(std::size_t& count);

  std::vector<std::unique_ptr<std::int16_t[]>> blocks_;
  /// Number of samples that were removed from the start of the first block.
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace cochlea
