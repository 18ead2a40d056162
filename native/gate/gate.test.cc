#include "gate/gate.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace cochlea {
namespace {

/// A run of windows with the same probability.
struct Run {
  int windows;
  float probability;
};

std::vector<GateEvent> play(Gate& gate, const std::vector<Run>& runs, bool flush = true) {
  std::vector<GateEvent> all;
  GateEvent events[kGateEvents];
  for (const Run& run : runs) {
    for (int i = 0; i < run.windows; ++i) {
      const std::size_t count = gate.step(run.probability, events);
      all.insert(all.end(), events, events + count);
    }
  }
  if (flush) {
    const std::size_t count = gate.flush(gate.position(), events);
    all.insert(all.end(), events, events + count);
  }
  return all;
}

TEST(Gate, GivesOneUtteranceWithItsSurroundings) {
  Gate gate{GateOptions{}};
  const auto events = play(gate, {{20, 0.1f}, {30, 0.9f}, {30, 0.1f}}, false);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, GateEvent::kSpeechStart);
  EXPECT_EQ(events[0].first, 20 * 512);
  EXPECT_EQ(events[1].kind, GateEvent::kSpeechEnd);
  EXPECT_EQ(events[1].first, 50 * 512);
  EXPECT_EQ(events[2].kind, GateEvent::kUtterance);
  EXPECT_EQ(events[2].first, 20 * 512 - 4800);
  EXPECT_EQ(events[2].last, 50 * 512 + 4800);
  EXPECT_FALSE(events[2].cut);
}

TEST(Gate, TellsTheMeanProbabilityOfSpeech) {
  Gate gate{GateOptions{}};
  const auto events = play(gate, {{20, 0.1f}, {10, 0.9f}, {5, 0.2f}, {15, 0.6f}, {30, 0.1f}}, false);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].kind, GateEvent::kSpeechEnd);
  EXPECT_NEAR(events[1].probability, (10 * 0.9 + 5 * 0.2 + 15 * 0.6) / 30, 1e-6);
  EXPECT_EQ(events[2].kind, GateEvent::kUtterance);
  EXPECT_EQ(events[2].probability, events[1].probability);
}

TEST(Gate, KeepsQuietAboutShortSpeech) {
  Gate gate{GateOptions{}};
  EXPECT_TRUE(play(gate, {{20, 0.1f}, {7, 0.9f}, {40, 0.1f}}).empty());
}

TEST(Gate, BridgesShortPauses) {
  Gate gate{GateOptions{}};
  EXPECT_EQ(play(gate, {{20, 0.9f}, {18, 0.1f}, {20, 0.9f}, {30, 0.1f}}).size(), 3u);
}

TEST(Gate, HasHysteresis) {
  Gate gate{GateOptions{}};
  EXPECT_TRUE(play(gate, {{60, 0.45f}}).empty());
  EXPECT_EQ(play(gate, {{1, 0.5f}, {60, 0.36f}, {30, 0.34f}}, false).back().speechEnd, (60 + 61) * 512);
}

TEST(Gate, CutsInTheLeastSpeechLikeWindow) {
  Gate gate{GateOptions{}};
  // The maximum length of 15 s is 469 windows. The dip in probability is in the last third.
  const auto events = play(gate, {{400, 0.9f}, {1, 0.4f}, {200, 0.9f}, {30, 0.0f}}, false);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(events[1].cut);
  EXPECT_EQ(events[1].last, 400 * 512 + 256);
  EXPECT_EQ(events[3].first, events[1].last);
  EXPECT_EQ(events[3].speechEnd, 601 * 512);
}

TEST(Gate, EndsLongSpeechByLessSilence) {
  GateOptions options;
  options.schedule = {{{32000, 7200}, {64000, 4800}}};
  options.silenceSteps = 2;
  Gate gate(options);
  // 450 ms of silence last 15 windows, and 300 ms last 10.
  EXPECT_EQ(play(gate, {{50, 0.9f}, {18, 0.1f}, {12, 0.9f}, {14, 0.1f}}, false).size(), 1u);
  EXPECT_EQ(play(gate, {{1, 0.1f}}, false).size(), 2u);
  EXPECT_EQ(play(gate, {{130, 0.9f}, {9, 0.1f}}, false).size(), 1u);
  EXPECT_EQ(play(gate, {{1, 0.1f}}, false).size(), 2u);
}

TEST(Gate, EndsSpeechByMoreSilenceWhileItLingers) {
  GateOptions options;
  options.longSilence = 16000;
  Gate gate(options);
  gate.linger(true);
  // 600 ms of silence last 19 windows, and 1000 ms last 32.
  EXPECT_EQ(play(gate, {{20, 0.9f}, {31, 0.1f}, {20, 0.9f}, {31, 0.1f}}, false).size(), 1u);
  const auto ended = play(gate, {{1, 0.1f}}, false);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[1].speechEnd, 71 * 512);
  play(gate, {{20, 0.9f}, {25, 0.1f}}, false);
  gate.linger(false);
  EXPECT_EQ(play(gate, {{1, 0.1f}}, false).size(), 2u);
}

TEST(Gate, TellsOfWhatIsOpen) {
  GateOptions options;
  options.openSilence = 3200;
  options.openStep = 16000;
  Gate gate(options);
  // 200 ms of silence last 7 windows, and 1 s of speech lasts 32.
  auto events = play(gate, {{20, 0.1f}, {40, 0.9f}, {10, 0.1f}, {20, 0.9f}, {6, 0.1f}, {20, 0.9f}}, false);
  std::vector<GateEvent> open;
  for (const GateEvent& event : events) {
    if (event.kind == GateEvent::kOpen) open.push_back(event);
  }
  ASSERT_EQ(open.size(), 3u);
  EXPECT_FALSE(open[0].cut);
  EXPECT_EQ(open[0].first, 20 * 512 - 4800);
  EXPECT_EQ(open[0].last, 52 * 512);
  EXPECT_EQ(open[0].speechEnd, open[0].last);
  EXPECT_TRUE(open[1].cut);
  EXPECT_EQ(open[1].speechEnd, 60 * 512);
  EXPECT_EQ(open[1].last, 67 * 512);
  EXPECT_FALSE(open[2].cut);
  events = play(gate, {{30, 0.1f}}, false);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, GateEvent::kOpen);
  EXPECT_EQ(events[0].speechEnd, events[2].speechEnd);
}

TEST(Gate, FlushMayEndInsideAWindow) {
  Gate gate{GateOptions{}};
  play(gate, {{20, 0.9f}}, false);
  GateEvent events[kGateEvents];
  ASSERT_EQ(gate.flush(gate.position() + 100, events), 2u);
  EXPECT_EQ(events[1].last, 20 * 512 + 100);
  // The next utterance begins at the position of the flush, not at the end of the flushed window.
  play(gate, {{20, 0.9f}}, false);
  ASSERT_EQ(gate.flush(gate.position(), events), 2u);
  EXPECT_EQ(events[1].first, 20 * 512 + 100);
}

TEST(Gate, HoldsItsPromisesOnAnyProbabilities) {
  std::mt19937 random(11);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::int64_t>(random() % limit); };
  for (int round = 0; round < 300; ++round) {
    GateOptions options;
    options.preRoll = below(20000);
    options.endSilence = 1600 + below(60000);
    options.longSilence = below(60000);
    options.minSpeech = below(16000);
    options.openStep = below(2) * 16000;
    options.openSilence = below(8000);
    options.silenceSteps = random() % (kSilenceSteps + 1);
    for (std::size_t i = 0; i < options.silenceSteps; ++i) {
      options.schedule[i] = {static_cast<std::int64_t>(20000 * i), 1600 + below(60000)};
    }
    options.maxUtterance = 16000 + below(200000);
    Gate gate(options);
    std::vector<GateEvent> all;
    float p = 0.5f;
    GateEvent events[kGateEvents];
    std::int64_t retained = 0;
    for (int i = 0; i < 3000; ++i) {
      if (random() % 8 == 0) p = static_cast<float>(random() % 1000) / 999;
      if (random() % 64 == 0) gate.linger(random() % 2 == 0);
      const std::int64_t from = gate.retainFrom();
      EXPECT_GE(from, retained);
      retained = from;
      const std::size_t count = gate.step(p, events);
      ASSERT_LE(count, kGateEvents);
      for (std::size_t e = 0; e < count; ++e) {
        if (events[e].kind == GateEvent::kUtterance) {
          EXPECT_GE(events[e].first, from) << "audio already given up";
          EXPECT_LE(events[e].last, gate.position());
        }
        all.push_back(events[e]);
      }
    }
    const std::size_t count = gate.flush(gate.position(), events);
    all.insert(all.end(), events, events + count);

    bool open = false;
    std::int64_t taken = 0;
    bool cut = false;
    for (const GateEvent& e : all) {
      if (e.kind == GateEvent::kSpeechStart) {
        EXPECT_FALSE(open);
        open = true;
      } else if (e.kind == GateEvent::kSpeechEnd) {
        EXPECT_TRUE(open);
        open = false;
      } else if (e.kind == GateEvent::kOpen) {
        EXPECT_TRUE(open);
        EXPECT_GE(e.first, taken);
        EXPECT_LE(e.speechEnd, e.last);
      } else {
        EXPECT_GE(e.first, taken);
        if (cut) {
          EXPECT_GE(e.speechStart, taken);
        }
        EXPECT_LT(e.first, e.last);
        EXPECT_LE(e.first, e.speechStart);
        EXPECT_LT(e.speechStart, e.speechEnd);
        EXPECT_LE(e.speechEnd, e.last);
        EXPECT_LE(e.last - e.first, options.maxUtterance + 512);
        EXPECT_EQ(open, e.cut);
        taken = e.last;
        cut = e.cut;
      }
    }
    EXPECT_FALSE(open);
  }
}

}  // namespace
}  // namespace cochlea
