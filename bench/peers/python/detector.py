import numpy as np
import onnxruntime

CONTEXT = 64
WINDOW = 512


class Detector:
    """Silero VAD v5, whose weights the engine also uses. One session, one window per run."""

    def __init__(self, model: str) -> None:
        # One thread without spinning costs least for so small a model.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.rate = np.array(16000, np.int64)


class Track:
    """The state of the detector for one stream. Its arrays are bound to the session once, so a run neither
    copies nor allocates an array."""

    def __init__(self, detector: Detector) -> None:
        self._run = detector.session.run_with_iobinding
        # Input of the model: the context, then the window.
        self.input = np.zeros((1, CONTEXT + WINDOW), np.float32)
        self._output = np.zeros((1, 1), np.float32)
        self._rate = detector.rate
        self._states = [np.zeros((2, 1, 128), np.float32) for _ in range(2)]
        orders = (self._states, self._states[::-1])
        self._bindings = [self._bind(detector.session, *order) for order in orders]

    def _bind(self, session: onnxruntime.InferenceSession, state: np.ndarray, following: np.ndarray):
        binding = session.io_binding()
        binding.bind_cpu_input("input", self.input)
        binding.bind_cpu_input("state", state)
        binding.bind_cpu_input("sr", self._rate)
        for name, array in (("output", self._output), ("stateN", following)):
            binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        return binding

    def run(self) -> float:
        """Returns the probability of speech in `input` and advances the state."""
        current, following = self._bindings
        self._run(current)
        self._bindings = [following, current]
        return self._output.item()
