/** Returns the environment of a test file's process: the caller's variables, and those of the suite. */
export const suiteVariables = (): NodeJS.ProcessEnv => ({
  ...process.env,
  TAP: '1',
  TAP_TIMEOUT: '240',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  // Without this setting, a service would download whisper-base (146 MB) at its start.
  TRANSCRIBER_MODELS: process.env.TRANSCRIBER_MODELS ?? 'whisper-tiny.en',
  // Without this setting, a sidecar would download 91 MB and use 170 MB of memory with its first record. Tests of
  // search enable the model.
  SENTENCE_MODEL: process.env.SENTENCE_MODEL ?? 'none',
  ORT_DISABLE_TELEMETRY: '1',
});
