from bisect import bisect_left

# Upper bounds of the buckets in s. All servers under test use these bounds. The lowest is 0.5 ms, each next
# bound is 10 % larger, and the last is about 20 s.
BOUNDS = [0.0005 * 1.1**k for k in range(112)]


class Counters:
    """The server's counters, and its Prometheus page."""

    def __init__(self) -> None:
        self.connections = 0
        self.frames_decoded = 0
        self.frames_invalid = 0
        self.windows = 0
        self.speech_windows = 0
        self.speech_starts = 0
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Records the time from the arrival of a window's last frame to the decision about the window."""
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def page(self) -> str:
        lines = []
        for name, value in (
            ("frames_decoded_total", self.frames_decoded),
            ("frames_invalid_total", self.frames_invalid),
            ("vad_windows_total", self.windows),
            ("speech_windows_total", self.speech_windows),
            ("speech_starts_total", self.speech_starts),
            ("frames_dropped_total", 0),
        ):
            lines += [f"# TYPE {name} counter", f"{name} {value}"]
        for name, value in (("connections_active", self.connections), ("speech_buffer_bytes", 0)):
            lines += [f"# TYPE {name} gauge", f"{name} {value}"]
        lines.append("# TYPE frame_to_vad_seconds histogram")
        below = 0
        for bound, count in zip([*map(repr, BOUNDS), "+Inf"], self.buckets):
            below += count
            lines.append(f'frame_to_vad_seconds_bucket{{le="{bound}"}} {below}')
        lines += [f"frame_to_vad_seconds_sum {self.sum}", f"frame_to_vad_seconds_count {below}", ""]
        return "\n".join(lines)
