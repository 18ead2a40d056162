#include "stream/frame-queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace cochlea {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(FrameQueue, ReturnsFramesInOrder) {
  FrameQueue queue(1000, 1000);
  for (std::uint8_t i = 0; i < 5; ++i) queue.push(Bytes(3, i).data(), 3, 1, 1000u + i);
  for (std::uint8_t i = 0; i < 5; ++i) {
    EXPECT_EQ(queue.front().bytes[0], i);
    EXPECT_EQ(queue.front().arrival, 1000u + i);
    queue.pop();
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.units(), 0u);
}

TEST(FrameQueue, DropsTheOldestAndSaysWhat) {
  FrameQueue queue(100, 100000);
  for (std::uint8_t i = 0; i < 10; ++i) EXPECT_EQ(queue.push(Bytes(4, i).data(), 4, 10).frames, 0u);
  const FrameQueue::Loss loss = queue.push(Bytes(4, 10).data(), 4, 25);
  EXPECT_EQ(loss.frames, 3u);
  EXPECT_EQ(loss.units, 30u);
  EXPECT_EQ(loss.bytes, 12u);
  EXPECT_EQ(queue.front().bytes[0], 3);
  EXPECT_EQ(queue.units(), 95u);
}

TEST(FrameQueue, TakesAFrameLargerThanItself) {
  FrameQueue queue(100, 100000);
  queue.push(Bytes(4).data(), 4, 10);
  EXPECT_EQ(queue.push(Bytes(4).data(), 4, 500).frames, 1u);
  EXPECT_EQ(queue.units(), 500u);
}

TEST(FrameQueue, BoundsBytesToo) {
  FrameQueue queue(1000000, 5000);
  for (int i = 0; i < 100; ++i) queue.push(Bytes(1000).data(), 1000, 1);
  EXPECT_LE(queue.units(), 5u);
  EXPECT_LE(queue.bytes(), 5000u);
}

TEST(FrameQueue, GivesMemoryBack) {
  FrameQueue queue(1000000, 1000000);
  for (int i = 0; i < 100; ++i) queue.push(Bytes(1000).data(), 1000, 1);
  EXPECT_GT(queue.bytes(), 100000u);
  while (!queue.empty()) queue.pop();
  EXPECT_LE(queue.bytes(), 2048u);
}

TEST(FrameQueue, BehavesLikeAQueue) {
  std::mt19937 random(5);
  FrameQueue queue(5000, 1 << 20);
  std::deque<Bytes> model;
  std::size_t units = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 3 != 0) {
      Bytes frame(random() % 300 + 1);
      for (auto& byte : frame) byte = static_cast<std::uint8_t>(random());
      while (!model.empty() && units + frame.size() > 5000) {
        units -= model.front().size();
        model.pop_front();
      }
      queue.push(frame.data(), frame.size(), frame.size());
      units += frame.size();
      model.push_back(frame);
    } else if (!model.empty()) {
      const std::size_t part = std::min<std::size_t>(random() % 200 + 1, model.front().size());
      queue.consume(part, part);
      units -= part;
      model.front().erase(model.front().begin(), model.front().begin() + static_cast<std::ptrdiff_t>(part));
      if (model.front().empty()) model.pop_front();
    }
    ASSERT_EQ(queue.empty(), model.empty());
    ASSERT_EQ(queue.units(), units);
    if (!model.empty()) {
      const FrameQueue::Frame frame = queue.front();
      ASSERT_EQ(Bytes(frame.bytes, frame.bytes + frame.length), model.front());
    }
  }
}

}  // namespace
}  // namespace cochlea
