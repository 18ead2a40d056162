import type { Settings } from '../../config/index.js';
import { requiredModels, voiceModel } from '../../models/index.js';

/** Checks whether a deployment transcribes on this machine. */
export const transcribesHere = ({ stt, sttModels }: Pick<Settings, 'stt' | 'sttModels'>): boolean =>
  stt !== 'discard' && sttModels.includes('local');

/**
 * Returns a list with the name of the speaker model. If this machine does not diarize, the list is empty. Transcription
 * also works without this model.
 */
export const speakerModels = ({
  speakerDiarization,
  stt,
}: Pick<Settings, 'speakerDiarization' | 'stt'>): string[] =>
  speakerDiarization === 'on' && stt !== 'discard' ? [voiceModel] : [];

/**
 * Returns the names of the models that this installation needs. These are the models of every installation, and the
 * models of speech recognition and diarization that the settings select.
 */
export const wantedModels = (
  settings: Pick<Settings, 'transcriberModels' | 'speakerDiarization' | 'stt'>,
): string[] => [
  ...new Set([...requiredModels(), settings.transcriberModels[0]!, ...speakerModels(settings)]),
];
