import type { Change, Compared } from './compare.js';
import { alignCells, shownValue } from './table.js';

const headings = ['suite', 'contender', 'what', 'cost', 'A', 'B', 'B/A', 'noise', 'verdict'];
const numeric = headings.map((heading) => ['A', 'B', 'B/A', 'noise'].includes(heading));

const percent = (share: number): string =>
  share >= 10 ? '> 999 %' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

const cells = ({ suite, contender, what, cost, a, b, ratio, noise, verdict }: Change): string[] => [
  suite,
  contender,
  what,
  cost ?? '',
  shownValue(a),
  shownValue(b),
  ratio === undefined ? '' : ratio.toFixed(3),
  noise === undefined ? '' : percent(noise),
  verdict,
];

const count = ({ changes }: Compared, verdict: Change['verdict']): number =>
  changes.filter((change) => change.verdict === verdict).length;

/** Prints the changes, the largest first, and the numbers of worse, better and unchanged costs. */
export const printChanges = (compared: Compared, all: boolean, print: (line: string) => void): void => {
  for (const warning of compared.warnings) print(`Warning: ${warning}`);
  const shown = compared.changes.filter(({ verdict }) => all || verdict !== 'same');
  if (shown.length > 0) print(alignCells([headings, ...shown.map(cells)], numeric));
  const [worse, better, same] = (['worse', 'better', 'same'] as const).map((verdict) =>
    count(compared, verdict),
  );
  print(`${worse} worse, ${better} better, ${same} the same within noise`);
};
