/** Names of the speech models of the manifest. Metrics have one label for each. */
export const speechModelNames = [
  'whisper-tiny.en',
  'whisper-base',
  'whisper-small',
  'whisper-medium',
  'whisper-large-v3-turbo',
] as const;

export type SpeechModelName = (typeof speechModelNames)[number];
