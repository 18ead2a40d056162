import { fetchPart } from './fetch-part.js';

const repository = 'https://github.com/resemble-ai/Resemblyzer';
/** Folder of ten LibriSpeech speakers (CC BY 4.0), with one subfolder for each speaker. */
const part = 'audio_data/librispeech_test-other';
/** Folder with recordings of other LibriSpeech speakers, one recording for each (CC BY 4.0). */
const otherPart = 'audio_data/librispeech_train-clean-100';

/**
 * Returns the folders with voices, or the reason why they are unavailable. Fetches them unless this was done before.
 */
export const fetchVoices = async (): Promise<
  { readonly folder: string; readonly others: string } | { readonly skipped: string }
> => {
  const [folder, others] = (await fetchPart({ repository, parts: [part, otherPart], name: 'voices' })) ?? [];
  if (folder !== undefined && others !== undefined) return { folder, others };
  return {
    skipped: `the voices of ${repository} cannot be fetched; --voices names a folder with one for each voice`,
  };
};
