import { type Settings, settings as table } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { manifest } from '../../models/manifest/index.js';

/**
 * Checks the list of speech models before anything starts. Otherwise a misspelt name would stay unnoticed, because no
 * stream would use it.
 * @throws CochleaError `setting_invalid` if an entry is not a model that recognises speech.
 */
export const checkSpeechModels = ({ transcriberModels }: Pick<Settings, 'transcriberModels'>): void => {
  const known = manifest.filter(({ recogniser }) => recogniser !== undefined).map(({ name }) => name);
  const wrong = transcriberModels.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const why = `${wrong} is not one of ${known.join(', ')}`;
  throw new CochleaError('setting_invalid', { name: table.transcriberModels.env, why });
};
