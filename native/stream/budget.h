#pragma once

#include <algorithm>

namespace cochlea {

struct BudgetOptions {
  /// Seconds of audio a second that a stream may send in the long run; 0 takes everything.
  double pace = 0;
  /// Audio, in ms, that it may be ahead of that: what a client may have kept while it was away.
  double backlog = 0;
};

/// How much audio one stream may send, by how long it lasts and not by its bytes: three bytes of Opus can
/// stand for 120 ms of work. Judged before anything is decoded.
///
/// A stream that has used its backlog up is refused until a part of it is earned again, so that what is taken
/// then is a piece of speech and not every tenth frame.
class Budget {
 public:
  explicit Budget(const BudgetOptions& options)
      : options_(options), resumeAt_(options.backlog - std::min(kPiece, options.backlog / 2)) {}

  /// @param duration of a frame, in ms
  /// @param now ms of a clock that does not run backwards
  /// @returns whether the frame is to be taken
  bool take(double duration, double now) {
    if (options_.pace <= 0) return true;
    ahead_ = std::max(0.0, ahead_ - std::max(0.0, now - since_) * options_.pace);
    since_ = now;
    refusing_ = refusing_ ? ahead_ > resumeAt_ : ahead_ + duration > options_.backlog;
    if (!refusing_) ahead_ += duration;
    return !refusing_;
  }

 private:
  /// Ms of audio taken at least once a stream is decoded again, unless its backlog is less than twice that.
  static constexpr double kPiece = 10000;

  BudgetOptions options_;
  /// It is decoded again when it is no further ahead than this.
  double resumeAt_;
  /// Ms of audio taken and not yet earned, at `since_`.
  double ahead_ = 0;
  double since_ = 0;
  bool refusing_ = false;
};

}  // namespace cochlea
