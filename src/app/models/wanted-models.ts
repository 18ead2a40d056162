import type { Settings } from '../../config/index.js';
import { requiredModels, voiceModel } from '../../models/index.js';

/** The speaker model, where voices are told apart on this machine. Without its files words come all the same. */
export const speakerModels = ({
  speakerDiarization,
  stt,
}: Pick<Settings, 'speakerDiarization' | 'stt'>): string[] =>
  speakerDiarization === 'on' && stt !== 'discard' ? [voiceModel] : [];

/** Models that this installation needs: those of every installation, and by setting that of speech recognition and that of speakers. */
export const wantedModels = (
  settings: Pick<Settings, 'sttModel' | 'speakerDiarization' | 'stt'>,
): string[] => [...new Set([...requiredModels(), settings.sttModel, ...speakerModels(settings)])];
