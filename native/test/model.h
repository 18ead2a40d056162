#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "kernel/kernels.h"
#include "vad/weights.h"

/// The detector's model for tests.
namespace cochlea::test {

/// Returns the bytes of the file with the model.
inline std::vector<std::uint8_t> modelFile() {
  std::ifstream file(COCHLEA_WEIGHTS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::shared_ptr<SileroModel> loadModel(const Kernels& with = kernels()) {
  const auto bytes = modelFile();
  auto model = std::make_shared<SileroModel>();
  EXPECT_TRUE(model->load(bytes.data(), bytes.size(), with));
  return model;
}

}  // namespace cochlea::test
