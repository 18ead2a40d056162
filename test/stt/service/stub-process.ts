/**
 * Replaces the decoder process. The name of the model controls the start. The first sample of an utterance controls its result. A plain
 * utterance is answered with its sequence number.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import type { ChildAnswer, ChildRequest, DecoderInput } from '../../../src/stt/shared/decoder-messages.js';

/** First samples with a special meaning. */
export const stub = {
  plain: 1,
  poison: 2,
  hang: 3,
  refuse: 4,
  empty: 5,
  held: 6,
  release: 7,
  language: 8,
  /** Answered with the name of the model. */
  model: 9,
  /** Answered with the detector's probability. */
  detected: 10,
} as const;

const answer = (message: ChildAnswer): void => {
  process.send?.(message, () => {});
};
let order = 0;
/** Functions that answer held utterances. An utterance of the kind `release` calls them. */
const held: (() => void)[] = [];

const decode = (job: number, { pcm, model, language, languages, detected }: DecoderInput): void => {
  if (!loaded.has(model)) {
    answer({ kind: 'decoded', job, decoded: 0, repeated: 0 });
    return;
  }
  switch (pcm[0]) {
    case stub.poison:
      process.kill(process.pid, 'SIGSEGV');
      break;
    case stub.hang:
      break;
    case stub.refuse:
      answer({ kind: 'decoded', job, decoded: 1, repeated: 0 });
      break;
    case stub.empty:
      answer({ kind: 'decoded', job, text: '', decoded: 1, repeated: 0 });
      break;
    case stub.held:
      held.push(() => answer({ kind: 'decoded', job, text: `held ${++order}`, decoded: 1, repeated: 0 }));
      break;
    case stub.model:
      answer({ kind: 'decoded', job, text: model, decoded: 1, repeated: 0 });
      break;
    case stub.release:
      for (const go of held.splice(0)) go();
      answer({ kind: 'decoded', job, text: 'released', decoded: 1, repeated: 0 });
      break;
    case stub.language:
      answer({
        kind: 'decoded',
        job,
        text: [language, ...languages].join(' '),
        decoded: 1,
        repeated: 0,
        language,
        languages: new Map([
          [language, 0.75],
          ['en', 0.25],
        ]),
      });
      break;
    case stub.detected:
      answer({ kind: 'decoded', job, text: `${detected}`, decoded: 1, repeated: 0 });
      break;
    default:
      answer({ kind: 'decoded', job, text: `${++order}`, decoded: 1, repeated: 0 });
  }
};

/**
 * Returns whether this process cannot load a model named `first:PATH`. Only the process that creates the file PATH can
 * load it.
 */
const isSecond = (model: string): boolean => {
  if (!model.startsWith('first:')) return false;
  try {
    writeFileSync(model.slice('first:'.length), '', { flag: 'wx' });
    return false;
  } catch {
    return true;
  }
};

const loaded = new Set<string>();

/** Returns whether the fault of a model named `NAME:PATH` is repaired: the file PATH exists. */
const isRepaired = (model: string): boolean => {
  const [, path = ''] = model.split(':', 2);
  return path !== '' && existsSync(path);
};

/** Milliseconds between two checks for the file of a slow model. */
const lookPause = 20;

const confirm = (model: string): void => {
  loaded.add(model);
  answer({ kind: 'ready', model, together: 1 });
};

const load = (model: string): void => {
  // A process must not load a model a second time, because the copy would only use memory.
  if (loaded.has(model)) process.exit(1);
  const isSlowlyRefused = model.startsWith('slowly-refused:') && isRepaired(model);
  const [kind] = isRepaired(model) ? [''] : model.split(':', 1);
  if (kind === 'refused' || isSlowlyRefused) {
    const error = new CochleaError('setting_invalid', { name: 'model', why: 'refused' }).toJSON();
    answer({ kind: 'unusable', model, error });
  } else if (kind === 'kills') process.kill(process.pid, 'SIGKILL');
  else if (kind === 'exits') process.stderr.write('no such graph\n', () => process.exit(1));
  else if (kind === 'slow' || kind === 'slowly-refused') setTimeout(load, lookPause, model);
  else if (kind === 'delayed') setTimeout(confirm, Number(model.split(':', 2)[1]), model);
  else if (kind !== 'never-ready') confirm(model);
};

process.on('message', (message: ChildRequest) => {
  if (message.kind === 'decode') decode(message.job, message);
  else if (isSecond(message.model)) process.stderr.write('no memory\n', () => process.exit(1));
  else load(message.model);
});
process.on('disconnect', () => process.exit());
