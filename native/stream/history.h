#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cochlea {

/// The samples that an utterance may still need, in blocks of one size. A block that one stream frees fits
/// any other stream. Arrays that grow by doubling would leave holes of every size, and up to half of their
/// space unused.
class History {
 public:
  /// Samples of a block.
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

  /// The contiguous samples that start at `index`.
  /// @param index below `size`
  Piece from(std::size_t index) const;

  std::size_t size() const { return size_; }

  /// Bytes of memory.
  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(std::int16_t); }

 private:
  /// Contiguous space after the newest sample.
  /// @param count wanted samples; reduced to the available space
  std::int16_t* space(std::size_t& count);

  std::vector<std::unique_ptr<std::int16_t[]>> blocks_;
  /// Number of samples of the first block that were removed.
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace cochlea
