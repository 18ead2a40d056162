/** Tests how the model's steps become a text: the end of the text, right and wrong guesses, several texts at once, and failures. */
import fc from 'fast-check';
import t from 'tap';
import { findModel } from '../../../src/models/directory.js';
import { KeptTexts } from '../../../src/stt/service/kept-texts.js';
import { probableTokens } from '../../../src/stt/shared/earlier-texts.js';
import { DecodedText } from '../../../src/stt/whisper/decoded-text.js';
import type { EncodedAudio, Step, Stepped } from '../../../src/stt/whisper/network.js';
import { type Network, WhisperRecogniser } from '../../../src/stt/whisper/recogniser.js';
import { tokenTimes } from '../../../src/stt/whisper/token-times.js';

const rules = { ...findModel('whisper-tiny.en').recogniser!, tokensPerSecond: 6 };
const beginning = [rules.tokens.start, rules.tokens.noTimestamps];
/** Returns samples. The first sample selects the text, and the number of samples gives the length. */
const spoken = (which: number, seconds = 10): Float32Array => {
  const samples = new Float32Array(seconds * 16_000);
  samples[0] = which;
  return samples;
};

type Spoken = EncodedAudio & { readonly which: number };

/**
 * Returns a fake model that knows some texts. After tokens that begin a text it chooses the next token of that text, otherwise an unused
 * token. Token 1 is ` a`, token 2 is ` b` and so on.
 */
const network = (texts: readonly (readonly number[])[], most = 4) => {
  const sizes: number[] = [];
  const rows: number[] = [];
  const fails = { encode: -1, step: false };
  const step = (one: Step): Stepped => {
    const { which } = one.audio as Spoken;
    const before = ((one.memory ?? []) as unknown as number[]).slice(0, one.place);
    const all = [...before, ...one.tokens];
    const text = texts[which]!;
    const chosen = one.tokens.slice(one.certain - 1).map((_, index) => {
      const said = all.slice(beginning.length, one.place + one.certain + index);
      if (!said.every((token, place) => token === text[place])) return 900;
      return text[said.length] ?? rules.tokens.end;
    });
    const shares = {
      data: new Float32Array(one.tokens.length * 500),
      heads: 1,
      tokens: one.tokens.length,
      places: 500,
    };
    return {
      chosen,
      // A text that contains token 500 is improbable. One with token 501 is doubtful.
      likelihoods: chosen.map(() => (text.includes(500) ? -2 : text.includes(501) ? -0.7 : -0.1)),
      answers: [],
      silence: one.place === 0 ? (text[0] === -1 ? 0.9 : text.includes(501) ? 0.45 : 0.1) : undefined,
      languages: undefined,
      memory: all as never,
      shares,
    };
  };
  const made: Network = {
    vocabulary: Array.from({ length: 1000 }, (_, id) => Buffer.from(` ${String.fromCharCode(96 + id)}`)),
    most,
    encode: async (samples) => {
      if (samples[0] === fails.encode) throw new Error('refused');
      return { lookedUp: [], frames: samples.length / 160, which: samples[0] } as Spoken;
    },
    step: async (steps) => {
      if (fails.step) throw new Error('broken');
      sizes.push(steps.length);
      rows.push(...steps.map(({ tokens }) => tokens.length));
      return steps.map(step);
    },
  };
  return { recogniser: new WhisperRecogniser(rules, made), sizes, rows, fails };
};

t.test('ends a text at its last token, at the token limit, or without speech', async (t) => {
  const loop = Array(500).fill(3);
  const { recogniser } = network([[1, 2, 3], loop, [-1, 5]]);
  t.match(await recogniser.recognise(spoken(0)), {
    text: ' a b c',
    tokens: [' a', ' b', ' c'],
    ids: [1, 2, 3],
    cutOff: false,
  });
  const cut = await recogniser.recognise(spoken(1));
  t.equal(cut.ids.length, 60, 'six tokens a second');
  t.ok(cut.cutOff, 'it says that it was cut off');
  t.equal((await recogniser.recognise(spoken(1, 29))).ids.length, 174);
  t.match(
    await recogniser.recognise(spoken(2)),
    { text: '', tokens: [], cutOff: false },
    'nothing is spoken',
  );
  t.match(
    await recogniser.recognise(spoken(0, 0.1)),
    { text: '', tokens: [], cutOff: false },
    'too short for a token',
  );
});

t.test('an improbable text is dropped', async (t) => {
  const { recogniser } = network([
    [1, 500],
    [1, 2],
  ]);
  const improbable = await recogniser.recognise(spoken(0));
  t.match(improbable, { text: '', tokens: [], ids: [], cutOff: false });
  t.equal(improbable.likelihood, -2);
  const probable = await recogniser.recognise(spoken(1));
  t.match(probable, { text: ' a b', silence: 0.1, doubtful: false });
  t.ok(Math.abs(probable.likelihood! + 0.1) < 1e-6, 'the mean of two tokens and the end');
});

t.test('guesses never change a text, and right guesses save steps', async (t) => {
  const text = Array.from({ length: 30 }, (_, index) => 1 + index);
  const { recogniser, sizes, rows } = network([text]);
  const steps = async (earlier: readonly (readonly number[])[]): Promise<number> => {
    sizes.length = 0;
    t.strictSame((await recogniser.recognise(spoken(0), { earlier })).ids, text);
    return sizes.length;
  };
  t.equal(await steps([]), 31);
  t.equal(await steps([text]), 3, 'ten at a time, and the end');
  t.equal(await steps([text.slice(0, 20)]), 12);
  t.equal(await steps([[7, 8, 9, 10, 11, 12]]), 27, 'found again in the middle');
  t.equal(await steps([[500, 501, 502]]), 31, 'wrong ones');
  t.ok(Math.max(...rows) <= 12, 'a step has few tokens');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 50 }),
      fc.array(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 50 }), { maxLength: 3 }),
      async (said, earlier) => {
        const made = network([said]);
        const { ids } = await made.recogniser.recognise(spoken(0), { earlier });
        if (JSON.stringify(ids) !== JSON.stringify(said)) throw new Error(`${ids} for ${said}`);
        if (made.sizes.length > said.length + 1) throw new Error('more steps than tokens');
      },
    ),
  );
});

t.test('a doubtful text is dropped if the detector found little speech', async (t) => {
  const { recogniser } = network([[1, 501]]);
  const whole = (await recogniser.recognise(spoken(0))).text;
  t.not(whole, '', 'nothing is known about the detector');
  t.equal((await recogniser.recognise(spoken(0), { detected: 0.9 })).text, whole);
  const { text, ids } = await recogniser.recognise(spoken(0), { detected: 0.5 });
  t.same([text, ids], ['', []]);
});

t.test("decodes several texts together, up to the model's maximum", async (t) => {
  const texts = Array.from({ length: 10 }, (_, index) => Array.from({ length: 5 + index }, () => 1 + index));
  const { recogniser, sizes } = network(texts);
  t.equal(recogniser.together, 4);
  const all = await Promise.all(texts.map((_, which) => recogniser.recognise(spoken(which))));
  for (const [which, { ids, spent }] of all.entries()) {
    t.strictSame(ids, texts[which]);
    t.ok(spent >= 0);
  }
  t.equal(Math.max(...sizes), 4);
  t.ok(sizes.length < texts.reduce((sum, text) => sum + text.length + 1, 0) / 2, 'most steps are shared');
});

t.test('a refused input fails alone, and a failed step fails only its own texts', async (t) => {
  const { recogniser, fails } = network([[1], [2], [3]]);
  fails.encode = 1;
  const [one, other, third] = await Promise.allSettled(
    [0, 1, 2].map((which) => recogniser.recognise(spoken(which))),
  );
  t.match(one, { value: { ids: [1] } });
  t.match(other, { status: 'rejected' });
  t.match(third, { value: { ids: [3] } });
  fails.step = true;
  await t.rejects(recogniser.recognise(spoken(0)), /broken/);
  fails.step = false;
  t.match(await recogniser.recognise(spoken(2)), { ids: [3] });
});

t.test("stores only the attention of a text's own tokens", async (t) => {
  const [heads, places] = [2, 3];
  const text = new DecodedText({ lookedUp: [], frames: 6 }, rules, {
    limit: 10,
    noSpeech: 0.6,
    languages: ['en'],
    earlier: [[1, 2, 3, 4]],
  });
  const { length: tokens } = text.next().tokens;
  const data = Float32Array.from({ length: heads * tokens * places }, (_, index) => index);
  // The first guess is right, the others are wrong.
  const chosen = [1, 9, 9, 9, 9];
  text.take({
    chosen,
    likelihoods: chosen.map(() => 0),
    answers: [],
    silence: 0,
    languages: undefined,
    memory: [],
    shares: { data, heads, tokens, places },
  });
  t.strictSame(text.tokens, [1, 9]);
  for (const [index, { shares, token }] of text.looked.entries())
    for (let head = 0; head < heads; head++) {
      const own = (head * shares.tokens + token) * places;
      const told = (head * tokens + index + 1) * places;
      t.strictSame(shares.data.slice(own, own + places), data.slice(told, told + places));
    }
  t.same(
    text.looked.map(({ shares }) => shares.data.length),
    [heads * places, heads * places],
  );
});

t.test('guesses the next tokens from earlier texts', async (t) => {
  const earlier = [
    [1, 2, 3, 4],
    [9, 2, 3, 7],
  ];
  t.strictSame(probableTokens([], earlier), [1, 2, 3, 4]);
  t.strictSame(probableTokens([1], earlier), [2, 3, 4]);
  t.strictSame(probableTokens([5, 3], earlier), [], 'one token alone says little');
  t.strictSame(probableTokens([8, 9, 2], earlier), [3, 7]);
  t.strictSame(probableTokens([1], []), []);
});

t.test('stores earlier texts until the utterance ends, for a limited number of streams', async (t) => {
  const kept = new KeptTexts();
  const [client, other] = [{}, {}];
  kept.keep(client, 'a', { model: 'm', tokens: [1] });
  kept.keep(client, 'a', { model: 'm', tokens: [2] });
  kept.keep(client, 'a', { model: 'm', tokens: [] });
  kept.keep(client, 'a', { model: 'm', tokens: [3] });
  t.strictSame(kept.of(client, 'a', 'm'), [[3], [2]], 'the newest first');
  t.strictSame(kept.of(other, 'a', 'm'), []);
  t.strictSame(kept.of(client, 'a', 'other'), [], 'models number tokens differently');
  for (let stream = 0; stream < 255; stream++) kept.keep(client, `${stream}`, { model: 'm', tokens: [1] });
  t.equal(kept.of(client, 'a', 'm').length, 2);
  kept.keep(client, 'b', { model: 'm', tokens: [1] });
  t.equal(kept.of(client, 'a', 'm').length, 0, 'the oldest gave way');
  kept.forget(client, 'b');
  t.strictSame(kept.of(client, 'b', 'm'), []);
});

t.test('derives token times from attention', async (t) => {
  // Four tokens and the end-of-text token. Two heads attend to ten positions per token; one head is noise.
  const [count, width, places] = [5, 10, 60];
  const looked = Array.from({ length: count }, (_, token) => {
    const data = new Float32Array(2 * places).fill(0.001);
    for (let place = 0; place < width; place++) data[token * width + place] = 0.1;
    for (let place = 0; place < places; place++)
      data[places + place] = ((place * 7919 + token * 104_729) % 13) / 1000;
    return { shares: { data, heads: 2, tokens: 1, places }, token: 0 };
  });
  const { timestamps, durations } = tokenTimes(looked, count - 1, 100);
  t.equal(timestamps.length, 4);
  for (const [token, start] of timestamps.entries()) {
    t.ok(Math.abs(start - token * 0.2) <= 0.04, `token ${token} at ${start}`);
    t.ok(Math.abs(durations[token]! - 0.2) <= 0.08, `for ${durations[token]}`);
  }
  const one = tokenTimes(looked.slice(0, 1), 1, 10);
  t.match(one, { timestamps: [0] });
  t.ok(one.durations[0]! > 0 && one.durations[0]! <= 0.1, 'no longer than the audio');
});

t.test('a multilingual model', async (t) => {
  const model = findModel('whisper-base').recogniser!;
  const { start, firstLanguage, transcribe, noTimestamps, end } = model.tokens;
  const tokenOf = (code: string): number => firstLanguage! + model.languages.indexOf(code);
  /** Probabilities of the languages: Dutch is more probable than German. */
  const heard = new Float32Array(model.languages.length);
  heard[model.languages.indexOf('nl')] = 0.6;
  heard[model.languages.indexOf('de')] = 0.3;

  /** Decodes a text of one word. @returns the text, and the tokens of each step with their positions. */
  const decode = async (language?: string | readonly string[], silence = 0, certainty?: number) => {
    const steps: [place: number, tokens: readonly number[]][] = [];
    const network: Network = {
      vocabulary: [Buffer.from(' hallo')],
      most: 1,
      encode: async () => ({ lookedUp: [], frames: 1000 }),
      step: async ([step]) => {
        const { certain, place, tokens } = step!;
        steps.push([place, tokens]);
        const isStart = tokens.includes(start);
        const chosen = tokens.slice(certain - 1).map((token) => (token === noTimestamps ? 0 : end));
        const shares = {
          data: new Float32Array(tokens.length * 500),
          heads: 1,
          tokens: tokens.length,
          places: 500,
        };
        return [
          {
            chosen,
            likelihoods: chosen.map(() => -0.1),
            answers: [],
            silence: isStart ? silence : undefined,
            languages: isStart ? heard : undefined,
            memory: [],
            shares,
          },
        ];
      },
    };
    const result = await new WhisperRecogniser(model, network).recognise(spoken(0), {
      earlier: [[7, 8, 9]],
      ...(language === undefined ? {} : { language }),
      ...(certainty === undefined ? {} : { certainty }),
    });
    return { ...result, steps };
  };

  t.test('a given language', async (t) => {
    const { text, language, languages, steps } = await decode('de');
    t.equal(text, ' hallo');
    t.equal(language, 'de');
    t.ok(Math.abs(languages!.get('nl')! - 0.6) < 1e-6, 'the audio sounds like another one');
    t.equal(languages!.size, model.languages.length);
    t.strictSame(steps, [
      [0, [start, tokenOf('de'), transcribe, noTimestamps, 7, 8, 9]],
      [4, [0]],
    ]);
  });

  t.test('the most probable language, of all or of some', async (t) => {
    for (const [asked, chosen] of [
      [undefined, 'nl'],
      [['fr', 'de', 'en'], 'de'],
      [['fr', 'en'], 'fr'],
    ] as const) {
      const { language, text, steps } = await decode(asked);
      t.equal(language, chosen);
      t.equal(text, ' hallo');
      t.strictSame(steps, [
        [0, [start]],
        [1, [tokenOf(chosen), transcribe, noTimestamps, 7, 8, 9]],
        [4, [0]],
      ]);
    }
  });

  t.test('an uncertain language is the first of several', async (t) => {
    for (const [asked, certainty, chosen] of [
      [['de', 'nl'], 0.6, 'nl'],
      [['de', 'nl'], 0.7, 'de'],
      [['en', 'de', 'nl'], 0.7, 'en'],
      [['fr', 'nl'], 0.9, 'nl'],
      [['fr'], 0.9, 'fr'],
    ] as const)
      t.equal((await decode(asked, 0, certainty)).language, chosen, `${asked} ${certainty}`);
  });

  t.test('no speech ends the text in the first step, whether the language is given or not', async (t) => {
    for (const language of ['de', undefined]) {
      const { text, ids, steps } = await decode(language, 0.9);
      t.equal(text, '');
      t.strictSame(ids, []);
      t.equal(steps.length, 1);
    }
  });

  t.test('languages that the model does not know', async (t) => {
    for (const language of ['xx', '', ['de', 'xx'], []]) await t.rejects(decode(language), /does not know/);
  });
});
