#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cochlea {

/// The samples that an utterance may still need, in blocks of one size: a block that one stream gives back
/// fits any other, where arrays that grow by doubling leave holes of every size behind, and as much space
/// unused as they hold.
class History {
 public:
  /// Samples of a block.
  static constexpr std::size_t kBlock = 1024;

  void append(const std::int16_t* samples, std::size_t count);

  void appendSilence(std::size_t count);

  /// Takes the oldest samples off.
  /// @param count at most `size`
  void drop(std::size_t count);

  /// Samples that lie in one piece; valid until the history changes.
  struct Piece {
    const std::int16_t* samples;
    std::size_t count;
  };

  /// The samples behind the first `index`, as far as they lie in one piece.
  /// @param index below `size`
  Piece from(std::size_t index) const;

  std::size_t size() const { return size_; }

  /// Memory held.
  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(std::int16_t); }

 private:
  /// Space behind the newest sample, in one piece.
  /// @param count set to how much there is, at most what it was
  std::int16_t* space(std::size_t& count);

  std::vector<std::unique_ptr<std::int16_t[]>> blocks_;
  /// Samples of the first block that were taken off.
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace cochlea
