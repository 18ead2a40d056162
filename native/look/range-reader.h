#pragma once

#include <cstddef>
#include <cstdint>

namespace cochlea {

/// Reads symbols from the range coder of Opus (RFC 6716, section 4.1). It reads only the beginning of a
/// frame. Raw bits at the end of a frame are counted, but not read. After the last byte of the frame it reads
/// zeros, as the RFC demands.
class RangeReader {
 public:
  RangeReader(const std::uint8_t* bytes, std::size_t length);

  /// Reads a bit that is 1 with the probability 2^-log.
  bool bit(unsigned log);

  /// Reads a symbol. @param inverse inverse cumulative frequencies, which end with 0
  /// @param bits logarithm of their sum
  unsigned symbol(const std::uint8_t* inverse, unsigned bits);

  /// Reads a number below `count`, all equally probable. @param count 2 to 256
  unsigned uniform(unsigned count);

  /// Reads a number with the Laplace distribution of CELT (RFC 6716, section 4.3.2.1).
  /// @param zero frequency of the number 0, as a part of 32,768
  /// @param decay ratio of the frequencies of successive numbers, as a part of 16,384
  int laplace(unsigned zero, unsigned decay);

  /// Counts `bits` raw bits at the end of the frame as read, without reading them.
  void skipRaw(unsigned bits) { read_ += bits; }

  /// Returns the number of bits that were read, rounded up.
  std::size_t position() const;

 private:
  unsigned byte() { return at_ < length_ ? bytes_[at_++] : 0; }
  /// Returns the cumulative frequency, below `total`, to which the next coded value belongs. A call of `take`
  /// with the range of the found symbol must follow.
  unsigned find(std::uint32_t total);
  void take(std::uint32_t low, std::uint32_t high, std::uint32_t total);
  void normalize();

  const std::uint8_t* bytes_;
  std::size_t length_;
  std::size_t at_ = 0;
  std::uint32_t range_;
  std::uint32_t value_;
  std::uint32_t step_ = 0;
  unsigned last_;
  std::size_t read_;
};

}  // namespace cochlea
