#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

/// Helpers for tests that compare results with reference programs.
namespace cochlea::test {

using Bytes = std::vector<std::uint8_t>;
using Samples = std::vector<std::int16_t>;

/// Runs a shell command and discards its output. @returns whether it succeeded
inline bool run(const std::string& command) {
  // NOLINTNEXTLINE(bugprone-command-processor): the commands are the tests' own.
  return std::system((command + " >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

/// Whether the shell finds a program.
inline bool hasTool(const std::string& name) { return run("command -v " + name); }

/// A temporary folder. It is removed together with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cochlea-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline Bytes readBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void writeBytes(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Returns the little-endian samples from `offset` on.
inline Samples samplesOf(const Bytes& bytes, std::size_t offset = 0) {
  Samples samples;
  for (std::size_t i = offset; i + 1 < bytes.size(); i += 2) {
    samples.push_back(static_cast<std::int16_t>(unsigned{bytes[i]} | unsigned{bytes[i + 1]} << 8));
  }
  return samples;
}

/// Returns test audio with properties of voice and of music. The channels are interleaved, and each channel
/// is different.
inline Samples material(std::uint32_t rate, unsigned channels, std::size_t count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> noise(-1, 1);
  Samples samples;
  samples.reserve(count * channels);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / rate;
    const double swell = 0.5 + 0.5 * std::sin(2 * 3.14159265 * 3 * t);
    for (unsigned c = 0; c < channels; ++c) {
      double value = 400 * noise(random);
      for (int h = 1; h <= 12; ++h) {
        value += swell * 5000 / h * std::sin(2 * 3.14159265 * h * (130 + 45 * c) * t + h);
      }
      samples.push_back(static_cast<std::int16_t>(value));
    }
  }
  return samples;
}

}  // namespace cochlea::test
