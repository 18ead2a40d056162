import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from '../checkout.js';

const run = promisify(execFile);
const repository = 'https://github.com/resemble-ai/Resemblyzer';
/** Folder of ten LibriSpeech speakers (CC BY 4.0), with one subfolder for each speaker. */
const part = 'audio_data/librispeech_test-other';
/** Folder with one recording of each further LibriSpeech speaker (CC BY 4.0). */
const otherPart = 'audio_data/librispeech_train-clean-100';
const kept = fileURLToPath(new URL('build/bench/voices', checkout));

/** Returns the folders of voices, or the reason why they are unavailable. Fetches them only once. */
export const fetchVoices = async (): Promise<
  { readonly folder: string; readonly others: string } | { readonly skipped: string }
> => {
  const folders = { folder: join(kept, part), others: join(kept, otherPart) };
  if (existsSync(folders.folder) && existsSync(folders.others)) return folders;
  const draft = `${kept}-${process.pid}`;
  try {
    await run('git', [
      'clone',
      '--quiet',
      '--depth',
      '1',
      '--filter=blob:none',
      '--sparse',
      repository,
      draft,
    ]);
    await run('git', ['-C', draft, 'sparse-checkout', 'set', part, otherPart]);
    await rm(kept, { recursive: true, force: true });
    await rename(draft, kept);
    return folders;
  } catch {
    return {
      skipped: `the voices of ${repository} cannot be fetched; --voices names a folder with one for each voice`,
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
