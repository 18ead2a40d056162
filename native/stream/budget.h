#pragma once

#include <algorithm>

namespace cochlea {

struct BudgetOptions {
  /// Seconds of audio per second that a stream may send in the long run. 0 means no limit.
  double pace = 0;
  /// Ms of audio that a stream may send ahead of its pace, for example after it was offline.
  double backlog = 0;
};

/// Limits the audio of one stream by its duration. A limit in bytes would not work, because three bytes of
/// Opus can contain 120 ms of audio. Frames over the budget are refused before they are decoded.
///
/// After a stream has used up its backlog, all its frames are refused until a part of the backlog is
/// available again. The stream can then send continuous speech for a while. Without this rule, the budget
/// would accept single frames, such as every tenth.
class Budget {
 public:
  explicit Budget(const BudgetOptions& options)
      : options_(options), resumeAt_(options.backlog - std::min(kPiece, options.backlog / 2)) {}

  /// Decides whether to accept a frame. @param duration duration of the frame in ms
  /// @param now ms of a monotonic clock
  /// @returns whether to accept the frame
  bool take(double duration, double now) {
    if (options_.pace <= 0) return true;
    ahead_ = std::max(0.0, ahead_ - std::max(0.0, now - since_) * options_.pace);
    since_ = now;
    refusing_ = refusing_ ? ahead_ > resumeAt_ : ahead_ + duration > options_.backlog;
    if (!refusing_) ahead_ += duration;
    return !refusing_;
  }

 private:
  /// Ms of audio that must be available again after a refusal, before frames are accepted. If the backlog is
  /// below twice this value, half of the backlog suffices.
  static constexpr double kPiece = 10000;

  BudgetOptions options_;
  /// A refused stream is accepted again when `ahead_` is at most this value.
  double resumeAt_;
  /// Ms of audio by which the stream was ahead of its pace at time `since_`.
  double ahead_ = 0;
  double since_ = 0;
  bool refusing_ = false;
};

}  // namespace cochlea
