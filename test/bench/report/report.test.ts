import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseReport, type Row } from '../../../bench/report/envelope.js';
import { costNames, dimensionNames, fieldOf, fields, spreadOf } from '../../../bench/report/fields.js';
import { markdownOf } from '../../../bench/report/markdown.js';
import {
  addOutcome,
  commandWords,
  printHead,
  printOutcome,
  startReport,
} from '../../../bench/report/report.js';
import { printTable, table } from '../../../bench/report/table.js';
import { writeReport } from '../../../bench/report/write.js';
import { costRow, reportOf } from './report-samples.js';

t.test('every field has a kind, a unit and wanted values', async (t) => {
  for (const name of costNames) {
    const field = fields[name];
    t.ok(['lower', 'higher'].includes(field.better), `${name} says which values are wanted`);
    t.match(fieldOf(spreadOf(name)), { kind: 'note', unit: field.unit }, `${name} may have a spread`);
  }
  for (const name of dimensionNames) t.equal(fieldOf(`${name}_spread`), undefined, `${name} has no spread`);
  const units: readonly [end: RegExp, unit: string][] = [
    [/^ms_|_ms$|cpu_ms_per_/, 'ms'],
    [/^us_per_/, 'us'],
    [/(^|_)ns_per_/, 'ns'],
    [/_per_s$/, '/s'],
    [/(^|_)kb(_per_stream)?$/, 'KB'],
    [/bytes_per_/, 'B'],
    [/_kb_per_min$/, 'KB/min'],
  ];
  for (const name of costNames.filter((cost) => cost !== 'cpu_ms_per_stream_s')) {
    const told = units.find(([end]) => end.test(name));
    if (told) t.equal(fields[name].unit, told[1], `${name} ends in its unit`);
  }
  for (const name of ['toString', 'constructor', 'nonsense', 'spread_spread', ''])
    t.equal(fieldOf(name), undefined, name);
});

t.test('the documented rows are valid', async (t) => {
  const row: Row = {
    suite: 'cost',
    contender: 'node-workers',
    streams: 200,
    load: 0.7,
    codec: 'opus',
    material: 'quiet-day',
    cpu_ms_per_stream_s: 0,
    rss_kb_per_stream: 0,
    p99_frame_to_vad_ms: 0,
    p99_frame_to_vad_ms_spread: 0.1,
    dropped: 0,
    errors_by_kind: { http_503: 2 },
    generator_bound: false,
  };
  const report = reportOf([row]);
  t.same(parseReport(JSON.parse(JSON.stringify(report))), report);
});

t.test('an invalid report is refused, and the error names the field', async (t) => {
  const row = costRow('cochlea', 50, {});
  const wrong: readonly [name: string, value: unknown, message: RegExp][] = [
    [
      'an unknown field',
      reportOf([{ ...row, cpu_ms: 1 } as Row]),
      /^x\.json: results\.0: no field is called "cpu_ms"/,
    ],
    ['a spread of no cost', reportOf([{ ...row, codec_spread: 1 } as Row]), /"codec_spread"/],
    [
      'text for a number',
      reportOf([row, { ...row, streams: '50' as unknown as number }]),
      /results\.1\.streams: /,
    ],
    ['no contender', reportOf([{ ...row, contender: '' }]), /results\.0\.contender: /],
    ['a number that is none', reportOf([{ ...row, dropped: Number.NaN }]), /results\.0\.dropped: /],
    ['a negative spread', reportOf([{ ...row, dropped_spread: -1 }]), /results\.0\.dropped_spread: /],
    ['more than a report', { ...reportOf([]), extra: 1 }, /extra/],
    ['something else', [], /^x\.json: /],
    ['nothing', null, /^x\.json: /],
  ];
  for (const [name, value, message] of wrong) t.throws(() => parseReport(value, 'x.json'), { message }, name);
});

t.test('a table has exactly the columns that its rows fill', async (t) => {
  const rows: Row[] = [
    { suite: 'vad', contender: 'cochlea', isa: 'avx2', batch: 16, us_per_window: 9.127, spread: 0.25 },
    { suite: 'vad', contender: 'onnxruntime', batch: 1, us_per_window: 1234.5, spread: 3, ratio: 135.3 },
  ];
  const expected = [
    'contender    isa   batch  us_per_window  spread  ratio',
    'cochlea      avx2     16           9.13    0.25',
    'onnxruntime            1           1235       3    135',
  ];
  t.same(table(rows).split('\n'), expected);
  const lines: string[] = [];
  printTable([...rows, costRow('node', 5, { dropped: 0 })], (line) => lines.push(...line.split('\n')));
  t.same(lines, [
    '',
    'vad',
    ...expected,
    '',
    'cost',
    'contender  codec  material  streams  dropped',
    'node       opus   speech          5        0',
  ]);
});

t.test('a table that is too wide is transposed', async (t) => {
  const rows = [50, 1000, 7].map((streams) => costRow('cochlea', streams, { dropped: 3 }));
  t.same(table(rows, 40).split('\n'), [
    'contender  cochlea  cochlea  cochlea',
    'codec         opus     opus     opus',
    'material    speech   speech   speech',
    'streams         50     1000        7',
    'dropped          3        3        3',
  ]);
  t.same(table(rows, 30).split('\n'), [
    'contender  cochlea  cochlea',
    'codec         opus     opus',
    'material    speech   speech',
    'streams         50     1000',
    'dropped          3        3',
    '',
    'contender  cochlea',
    'codec         opus',
    'material    speech',
    'streams          7',
    'dropped          3',
  ]);
  t.equal(table(rows.slice(0, 1), 1).split('\n').length, 5, 'a column that fits nowhere is still shown');
});

t.test('the outcome of a suite is collected and printed', async (t) => {
  const outcome = {
    results: [costRow('cochlea', 50, { cpu_ms_per_stream_s: 1.5, beyond_noise: true })],
    selfNoise: [{ suite: 'cost', of: '50 streams', ratio: 1.01, spread: 0.02 }],
    skipped: [{ suite: 'cost', what: 'python', why: 'there is no Python' }],
    versions: { ws: '8.0.0' },
  };
  const report = startReport({ settings: { stt: 'discard' } });
  addOutcome(report, outcome);
  t.doesNotThrow(() => parseReport(report));
  t.match(report.machine.versions, { ws: '8.0.0' });
  const lines: string[] = [];
  printHead(report, (line) => lines.push(line));
  t.ok(lines.includes('stt=discard'), 'settings are printed');
  printOutcome('cost', outcome, (line) => lines.push(line));
  t.same(lines.slice(-4), [
    'contender  codec  material  streams  cpu_ms_per_stream_s  beyond_noise\ncochlea    opus   speech         50                  1.5  yes',
    '  self-noise (50 streams, against itself): 1.0 %, spread 2.0 %',
    '  ws: 8.0.0',
    '  not measured: python: there is no Python',
  ]);
});

t.test('a printed command can be typed again, and contains no secrets', async (t) => {
  const cases: readonly [words: string[], told: string][] = [
    [[], ''],
    [
      ['cost', '--streams', '50,70%', '--fail-if', 'p99_ms>50'],
      "cost --streams 50,70% --fail-if 'p99_ms>50'",
    ],
    [['x', "it's", ''], "x 'it'\\''s' ''"],
    [['fleet', '--header', 'Authorization: Bearer secret', '--pid', '7'], 'fleet --header ... --pid 7'],
    [['fleet', '--header=Authorization: Bearer\nsecret'], 'fleet --header=...'],
  ];
  for (const [words, told] of cases) t.equal(commandWords(words), told, told);
});

t.test('Markdown contains the tables, the machine and the skipped parts', async (t) => {
  const text = markdownOf(
    reportOf(
      [
        costRow('cochlea', 50, { cpu_ms_per_stream_s: 1.5, errors_by_kind: { reset: 2, http_503: 1 } }),
        costRow('a|b\n<i>', 50, { cpu_ms_per_stream_s: 15.256 }),
      ],
      {
        settings: { stt: 'discard' },
        skipped: [{ suite: 'cost', what: 'python', why: 'there is no Python' }],
        self_noise: [{ suite: 'cost', of: '50 streams', ratio: 0.99, spread: 0.02 }],
      },
    ),
  );
  const lines = text.split('\n');
  t.same(
    lines.slice(lines.indexOf('## cost') + 2, lines.indexOf('## Self-noise') - 1),
    [
      '| Contender | Codec | Material | Streams | CPU a stream-second, ms | Errors by kind |',
      '| --- | --- | --- | --: | --: | --- |',
      '| cochlea | opus | speech | 50 | 1.5 | reset: 2, http\\_503: 1 |',
      '| a\\|b \\<i\\> | opus | speech | 50 | 15.3 |  |',
    ],
    'what ends a cell or begins a tag is escaped',
  );
  for (const line of [
    '- Machine: Model T, 2 cores (avx2)',
    `- Commit: ${'c'.repeat(40)}`,
    '- stt: discard',
    '- cost, 50 streams: differs from itself by -1.0 %, spread 2.0 %',
    '- cost, python: there is no Python',
  ])
    t.ok(lines.includes(line), line);
});

t.test('a report is written in all requested forms, or not at all', async (t) => {
  const folder = t.testdir();
  const [json, markdown, html] = ['r.json', 'r.md', 'r.html'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const wrong = reportOf([{ ...costRow('cochlea', 5, {}), nonsense: 1 } as Row]);
  t.throws(() => writeReport(wrong, { json, markdown, html }), { message: /nonsense/ });
  t.notOk(existsSync(json) || existsSync(markdown) || existsSync(html));
  const report = reportOf([costRow('cochlea', 5, { dropped: 1 })]);
  t.same(writeReport(report, { json }), report);
  t.same(parseReport(JSON.parse(readFileSync(json, 'utf8'))), report);
  t.notOk(existsSync(markdown) || existsSync(html));
  writeReport(report, { markdown, html });
  t.match(readFileSync(markdown, 'utf8'), /^# Bench report\n/);
  t.match(readFileSync(html, 'utf8'), /^<!doctype html>/);
});
