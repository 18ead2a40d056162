import type { Report, Row } from '../../../bench/report/envelope.js';

/** Returns a report of a fictional machine. */
export const reportOf = (results: readonly Row[], more: Partial<Report> = {}): Report => ({
  machine: {
    cpu: 'Model T',
    cores: 2,
    flags: ['avx2'],
    system: 'Linux 6.1 x64',
    node: 'v20.19.0',
    load: 0.2,
    versions: {},
  },
  commit: 'c'.repeat(40),
  clock: 'cpu',
  results: [...results],
  self_noise: [],
  skipped: [],
  ...more,
});

/** Returns a row of the suite `cost`. */
export const costRow = (contender: string, streams: number, costs: Partial<Row>): Row => ({
  suite: 'cost',
  contender,
  codec: 'opus',
  material: 'speech',
  streams,
  ...costs,
});
