/** Names of the speech models in the manifest. Metrics have a label value for each name. */
export const speechModelNames = [
  'whisper-tiny.en',
  'whisper-base',
  'whisper-small',
  'whisper-medium',
  'whisper-large-v3-turbo',
] as const;

export type SpeechModelName = (typeof speechModelNames)[number];
