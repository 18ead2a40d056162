import type { Settings } from '../../config/index.js';
import { requiredModels, voiceModel } from '../../models/index.js';

/** The speaker model, if this machine diarizes. Words arrive even without its files. */
export const speakerModels = ({
  speakerDiarization,
  stt,
}: Pick<Settings, 'speakerDiarization' | 'stt'>): string[] =>
  speakerDiarization === 'on' && stt !== 'discard' ? [voiceModel] : [];

/** Models that this installation needs: the common models, and by setting those of speech recognition and speakers. */
export const wantedModels = (
  settings: Pick<Settings, 'sttModel' | 'speakerDiarization' | 'stt'>,
): string[] => [...new Set([...requiredModels(), settings.sttModel, ...speakerModels(settings)])];
