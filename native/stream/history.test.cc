#include "stream/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

namespace cochlea {
namespace {

TEST(History, BehavesLikeAQueue) {
  std::mt19937 random(3);
  History history;
  std::deque<std::int16_t> model;
  std::int16_t next = 0;
  for (int step = 0; step < 4000; ++step) {
    const std::size_t count = random() % 3000;
    switch (random() % 5) {
      case 0:
        history.appendSilence(count);
        model.insert(model.end(), count, 0);
        break;
      case 1: {
        // Now and then, all samples are dropped.
        const std::size_t dropped = random() % 8 == 0 ? model.size() : std::min(count * 2, model.size());
        history.drop(dropped);
        model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(dropped));
        break;
      }
      default: {
        std::vector<std::int16_t> samples(count);
        for (auto& sample : samples) sample = next++;
        history.append(samples.data(), count);
        model.insert(model.end(), samples.begin(), samples.end());
      }
    }
    if (model.size() > 100000) {
      history.drop(90000);
      model.erase(model.begin(), model.begin() + 90000);
    }
    ASSERT_EQ(history.size(), model.size());
    const std::size_t from = model.empty() ? 0 : random() % model.size();
    const std::size_t length = std::min<std::size_t>(random() % 5000, model.size() - from);
    for (std::size_t at = from; at < from + length;) {
      const History::Piece piece = history.from(at);
      ASSERT_GT(piece.count, 0u);
      ASSERT_LE(piece.count, model.size() - at);
      ASSERT_TRUE(std::equal(piece.samples, piece.samples + piece.count,
                             model.begin() + static_cast<std::ptrdiff_t>(at)));
      at += piece.count;
    }
  }
}

TEST(History, HoldsNoMoreThanItNeeds) {
  History history;
  EXPECT_EQ(history.bytes(), 0u);
  const std::vector<std::int16_t> second(16000, 1);
  for (int i = 0; i < 15; ++i) history.append(second.data(), second.size());
  EXPECT_LE(history.bytes(), (240000 + 2 * History::kBlock) * sizeof(std::int16_t));
  history.drop(230000);
  EXPECT_LE(history.bytes(), (10000 + 2 * History::kBlock) * sizeof(std::int16_t));
  history.drop(10000);
  EXPECT_LE(history.bytes(), History::kBlock * sizeof(std::int16_t));
}

}  // namespace
}  // namespace cochlea
