/** Tests the files of a transcript: independent programs read the files, and find the stored transcript. */
import assert from 'node:assert/strict';
import { parse } from '@plussub/srt-vtt-parser';
import fc from 'fast-check';
import { marked, type Token, type Tokens } from 'marked';
import t from 'tap';
import { cueBounds } from '../../src/wire/exports/cues.js';
import { attachmentOf, exportName } from '../../src/wire/exports/file-name.js';
import type { ExportedConversation, ExportedSegment, TextFormat } from '../../src/wire/exports/formats.js';
import { transcriptWriter } from '../../src/wire/exports/transcript-writer.js';
import { hostileTexts } from '../support/texts/hostile-texts.js';

const conversation: ExportedConversation = {
  created_at: '2026-03-02T09:30:00Z',
  started_at: '2026-03-02T09:30:00Z',
  finished_at: '2026-03-02T10:01:00Z',
  structured: { title: 'Garden plan', overview: '', action_items: [] },
};

const fileOf = (
  format: TextFormat,
  segments: readonly ExportedSegment[],
  head: ExportedConversation = conversation,
): string => {
  const writer = transcriptWriter(format);
  return writer.head(head) + segments.map((segment) => writer.segment(segment)).join('');
};

const said = (text: string, at = 0, name = 'Ann', lasts = 2): ExportedSegment => ({
  text,
  speaker_id: at,
  speaker_name: name,
  start: at * 3,
  end: at * 3 + lasts,
});

/** Returns a text as a file shows it: in one line, without control characters. */
const shown = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '\ufffd')
    .trim();
const shownName = (name: string, id: number): string =>
  shown(name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')) || `Speaker ${id}`;

/** Removes blanks, because lines of subtitles end between or within words. */
const dense = (text: string): string => text.replace(/\s/g, '');

interface Entry {
  readonly id: string;
  /** Start of the entry in ms. */
  readonly from: number;
  /** End of the entry in ms. */
  readonly to: number;
  readonly text: string;
}

const entriesOf = (file: string): readonly Entry[] => parse(file).entries;

interface Heard {
  readonly speaker: string;
  text: string;
  readonly from: number;
  to: number;
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const decoded = (text: string): string => text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity]!);

/** Reads WebVTT. Joins cues of one speaker that follow each other without a pause. */
const heardIn = (file: string): Heard[] => {
  const heard: Heard[] = [];
  for (const { text, from, to } of entriesOf(file)) {
    const [, name, words] = /^<v ([^<>]*)>([^<>]*)<\/v>$/.exec(text) ?? [];
    if (name === undefined) throw new Error(`no voice: ${text}`);
    if (text.includes('-->')) throw new Error(`the arrow ends the cue: ${text}`);
    const last = heard.at(-1);
    const speaker = decoded(name.trim());
    if (last?.speaker === speaker && last.to === from) {
      last.text += dense(decoded(words!));
      last.to = to;
    } else heard.push({ speaker, text: dense(decoded(words!)), from, to });
  }
  return heard;
};

const anyText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(fc.constantFrom('-->', '\n', '\n\n', '<', '&', '*', '`', '\u202e', '👍🏽', ' ', 'a', '0'))
    .map((all) => all.join('')),
);
const anySegments = fc
  .array(fc.tuple(anyText, fc.oneof(fc.constantFrom('Ann', 'Speaker 1', 'Ann --', '-'), anyText)), {
    maxLength: 8,
  })
  .map((all) => all.map(([text, name], at) => said(text, at, name)));

/** Returns the segments that a file shows. Segments with a blank text are left out. */
const expected = (segments: readonly ExportedSegment[]) => segments.filter(({ text }) => shown(text) !== '');

t.test('WebVTT has the text, the speaker and the times of every segment', async () => {
  await fc.assert(
    fc.property(anySegments, (segments) => {
      assert.deepEqual(
        heardIn(fileOf('vtt', segments)),
        expected(segments).map(({ text, speaker_name, speaker_id, start, end }) => ({
          speaker: shownName(speaker_name, speaker_id),
          text: dense(shown(text)),
          from: start * 1000,
          to: end * 1000,
        })),
      );
    }),
    { numRuns: 300 },
  );
});

t.test('SubRip has the text, the speaker and the times of every segment', async () => {
  const similar = (text: string): string => text.replaceAll('<', '‹').replaceAll('-->', '--›');
  await fc.assert(
    fc.property(anySegments, (segments) => {
      const entries = entriesOf(fileOf('srt', segments));
      assert.deepEqual(
        entries.map(({ id }) => Number(id)),
        entries.map((_, at) => at + 1),
      );
      assert.equal(
        dense(entries.map(({ text }) => text).join('')),
        dense(
          expected(segments)
            .map(({ text, speaker_name, speaker_id }) =>
              similar(`${shownName(speaker_name, speaker_id)}: ${shown(text)}`),
            )
            .join(''),
        ),
      );
      const firsts = new Set(entries.map(({ from }) => from));
      for (const { start } of expected(segments)) assert.ok(firsts.has(start * 1000));
      assert.ok(!entries.some(({ text }) => /<|-->|\{\\/.test(text)));
    }),
    { numRuns: 300 },
  );
});

t.test('subtitles have short lines, and cues that follow each other', async () => {
  for (const text of hostileTexts) {
    for (const lasts of [0, 0.001, 2, 600]) {
      for (const format of ['vtt', 'srt'] as const) {
        const entries = entriesOf(fileOf(format, [said(text, 1, 'Ann', lasts)]));
        let before = 3000;
        for (const { from, to, text: cue } of entries) {
          assert.equal(from, before, 'a cue begins where the one before it ends');
          assert.ok(to > from, 'a cue lasts');
          before = to;
          const lines = decoded(cue.replace(/<[^>]*>/g, '')).split('\n');
          assert.ok(lines.length <= cueBounds.lines);
          assert.ok(lines.every((line) => [...line].length <= cueBounds.line));
        }
        assert.equal(before, 3000 + Math.max(lasts * 1000, entries.length));
      }
    }
  }
});

/** Returns the shown text of inline tokens, and the kinds of the tokens. */
const inline = (tokens: readonly Token[] | undefined, kinds: Set<string>): string =>
  (tokens ?? [])
    .map((token) => {
      kinds.add(token.type);
      const inner = (token as Tokens.Generic).tokens;
      return inner ? inline(inner, kinds) : (token as Tokens.Text).text;
    })
    .join('');

const readMarkdown = (file: string) => {
  const kinds = new Set<string>();
  const blocks = marked.lexer(file).filter(({ type }) => type !== 'space');
  const texts = blocks.map((block) => ({
    type: block.type,
    text: block.type === 'list' ? '' : inline((block as Tokens.Generic).tokens, kinds),
    items:
      block.type === 'list'
        ? (block as Tokens.List).items.map(({ tokens, checked }) => ({
            checked,
            text: inline(tokens, kinds),
          }))
        : [],
  }));
  return { kinds, texts };
};

t.test('Markdown shows every text as it was stored, and no markup of it', async () => {
  await fc.assert(
    fc.property(anySegments, anyText, anyText, anyText, (segments, title, overview, task) => {
      const structured = { title, overview, action_items: [{ description: task, completed: true }] };
      const { kinds, texts } = readMarkdown(fileOf('md', segments, { ...conversation, structured }));
      const paragraphs = texts.filter(({ type }) => type === 'paragraph').map(({ text }) => text);
      const [times, ...rest] = paragraphs;
      assert.equal(times, '2026-03-02 09:30 UTC to 2026-03-02 10:01 UTC');
      assert.deepEqual([texts[0]!.type, texts[0]!.text], ['heading', shown(title) || 'Untitled']);
      if (shown(overview) !== '') assert.equal(rest.shift(), shown(overview));
      assert.deepEqual(
        rest,
        expected(segments).map(
          ({ text, speaker_name, speaker_id, start }) =>
            `${shownName(speaker_name, speaker_id)} (00:00:${String(start).padStart(2, '0')}): ${shown(text)}`,
        ),
      );
      const lists = texts.filter(({ type }) => type === 'list').map(({ items }) => items);
      assert.deepEqual(lists, shown(task) === '' ? [] : [[{ checked: true, text: shown(task) }]]);
      const others = texts.filter(({ type }) => !['heading', 'paragraph', 'list'].includes(type));
      assert.deepEqual(others, []);
      for (const kind of kinds)
        assert.ok(['text', 'escape', 'strong', 'checkbox', 'paragraph'].includes(kind), kind);
    }),
    { numRuns: 300 },
  );
});

t.test('plain text has one line for each segment', async (t) => {
  const segments = hostileTexts.map((text, at) => said(text, at));
  const lines = fileOf('txt', segments).split('\n');
  t.same(lines.slice(0, 3), ['Garden plan', '2026-03-02 09:30 UTC to 2026-03-02 10:01 UTC', '']);
  t.same(
    lines.slice(3, -1).map((line) => line.slice(11)),
    segments.map(({ text }) => `Ann: ${shown(text)}`),
  );
  t.equal(lines[4]!.slice(0, 10), '[00:00:03]');
});

t.test('a file without segments is empty and valid', async (t) => {
  t.equal(fileOf('srt', []), '');
  t.equal(fileOf('vtt', []), 'WEBVTT\n');
  t.match(fileOf('txt', []), /^Garden plan\n/);
  t.match(fileOf('md', []), /^# Garden plan\n/);
  for (const format of ['srt', 'vtt'] as const) t.same(entriesOf(fileOf(format, [])), []);
});

t.test('times that are no times count as the start', async (t) => {
  for (const [start, end, times] of [
    [-5, -1, '00:00:00.000 --> 00:00:00.001'],
    [Number.NaN, Number.POSITIVE_INFINITY, '00:00:00.000 --> 00:00:00.001'],
    [359_999.9994, 360_000, '99:59:59.999 --> 100:00:00.000'],
    [4, 1, '00:00:04.000 --> 00:00:04.001'],
  ] as const) {
    t.match(fileOf('vtt', [{ ...said('Yes.'), start, end }]), times);
  }
});

t.test('a file name is safe on every system, and browsers show it', async (t) => {
  const named = (title: string): string =>
    exportName({ ...conversation, structured: { ...conversation.structured, title } }, 'srt');
  const cases: readonly (readonly [title: string, name: string])[] = [
    ['Garden plan', '2026-03-02 Garden plan.srt'],
    ['', '2026-03-02.srt'],
    ['../../etc/passwd', '2026-03-02 etc passwd.srt'],
    ['CON', '2026-03-02 CON.srt'],
    ['a\r\nSet-Cookie: x=1', '2026-03-02 a Set-Cookie x=1.srt'],
    ['"quoted" \\ 100 %', '2026-03-02 quoted 100.srt'],
    ['\u202eexe.fdp', '2026-03-02 exe.fdp.srt'],
    ['Gärten 🌱', '2026-03-02 Gärten 🌱.srt'],
    ['...', '2026-03-02.srt'],
  ];
  for (const [title, name] of cases) t.equal(named(title), name);
  t.equal(
    attachmentOf("2026 Gärten 🌱 (Ann's).srt"),
    `attachment; filename="2026 Garten _ (Ann's).srt"; filename*=UTF-8''2026%20G%C3%A4rten%20%F0%9F%8C%B1%20%28Ann%27s%29.srt`,
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
      const name = named(title);
      assert.ok(Buffer.byteLength(name) <= 255);
      assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}]|^\.|[. ]$/u);
      assert.match(
        attachmentOf(name),
        /^attachment; filename="[ -!#-~]+"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/,
      );
    }),
  );
});
