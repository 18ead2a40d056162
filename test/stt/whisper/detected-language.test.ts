/** The multilingual model, if it is installed: a decoder process and a stream detect the language of English speech. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { StreamLanguage } from '../../../src/engine/transcription/stream-language.js';
import { modelOptions } from '../../../src/models/ensure.js';
import { requireModel } from '../../../src/models/verify.js';
import type { ChildAnswer, Decoded } from '../../../src/stt/shared/decoder-messages.js';
import { startChild, transcriberProcess } from '../../../src/stt/whisper/decoder-child.js';
import { until } from '../../support/until.js';

const model = 'whisper-base';
const { directory: modelsDir } = modelOptions(loadSettings().values);
const missing = await requireModel(model, modelsDir).then(
  () => undefined,
  (error: Error) => error,
);
const skip = missing === undefined ? false : `${missing.message}: "cochlea models pull ${model}" installs it`;

const speech = join(packageDirectory(), 'fixtures', 'speech');
const { utterances } = JSON.parse(readFileSync(join(speech, 'transcripts.json'), 'utf8')) as {
  utterances: { file: string }[];
};
/** Returns the samples of a 16 kHz WAV file with the plain 44-byte header. */
const samplesOf = ({ file }: { readonly file: string }): Int16Array => {
  const wav = readFileSync(join(speech, file));
  return new Int16Array(
    wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - (wav.length % 2)),
  );
};

t.test('detected languages of whisper-base', { skip }, async (t) => {
  const decoded = new Map<number, Decoded>();
  let isReady = false;
  const child = startChild(transcriberProcess, {
    answered: (answer: ChildAnswer) => {
      if (answer.kind === 'ready') isReady = true;
      else if (answer.kind === 'decoded') decoded.set(answer.job, answer);
    },
    exited: () => undefined,
  });
  t.teardown(() => child.close());
  child.send({ kind: 'load', model, modelsDir });
  await until(() => isReady, 'the model');
  let last = 0;
  const decode = async (
    pcm: Int16Array,
    language: string,
    languages: readonly string[] = [],
  ): Promise<Decoded> => {
    const job = ++last;
    child.send({
      kind: 'decode',
      job,
      model,
      pcm,
      language,
      languages,
      keywords: [],
      detected: 0,
      earlier: [],
    });
    await until(() => decoded.has(job), 'the words');
    return decoded.get(job)!;
  };

  await t.test('a decoder process detects one of the languages of the request', async (t) => {
    const whole = samplesOf(utterances[0]!);
    t.ok(whole.length > 4 * 16_000, 'long enough to detect the language');
    const given = await decode(whole, 'en');
    const found = await decode(whole, 'multi', ['fr', 'en', 'de']);
    t.equal(found.language, 'en');
    t.equal(found.text, given.text, 'the text is that of the given language');
    t.equal((await decode(whole, 'multi', ['fr'])).language, 'fr', 'a single language');
    const short = await decode(whole.slice(0, 3 * 16_000), 'multi', ['fr', 'en']);
    t.equal(short.language, 'fr', 'audio that is too short is in the first language');
    t.ok(short.languages!.get('en')! > 0.8, 'although it sounds English');
  });

  await t.test('a stream follows its speech and then stays', async (t) => {
    const stream = new StreamLanguage(['fr', 'en', 'de']);
    const heard: string[] = [];
    for (const utterance of utterances) {
      const pcm = samplesOf(utterance);
      const { languages: shares } = await decode(pcm, stream.current);
      heard.push(stream.detect({ shares, seconds: pcm.length / 16_000 }));
    }
    t.strictSame(
      heard,
      utterances.map(() => 'en'),
    );
  });
});
