/** Makes the table of docs/evidence/listeners.md. `node dist/test/front/conformance/print-table.js` prints it. */
import { type Area, outcomeOf } from './case.js';
import { frameAreas } from './frame-cases.js';
import { handshakes, requests } from './request-cases.js';

export const areas: readonly Area[] = [handshakes, ...frameAreas, requests];

const words = (outcome: string): string => (outcome === '' ? 'nothing' : outcome);

/** Returns one row per case: the outcome with the older uWebSockets.js, and outcomes of other listeners that differ. */
const rowsOf = ({ cases }: Area): string[] =>
  cases.map((one) => {
    const older = outcomeOf(one, 'uws');
    const others = (['newer', 'ws'] as const).map((column) => {
      const outcome = outcomeOf(one, column);
      return outcome === older ? '|' : `| ${words(outcome)} `;
    });
    return `| ${one.name} | ${words(older)} ${others.join('')}|`;
  });

export const tableOf = (): string => {
  const sections = areas.map((area) =>
    [
      `### ${area.title}`,
      '',
      '| case | uws 20.30 | uws 20.57, where it differs | ws, where it differs |',
      '|---|---|---|---|',
      ...rowsOf(area),
    ].join('\n'),
  );
  return `## Cases

\`node dist/test/front/conformance/print-table.js\` prints the tables from the expectations of \`test/front/conformance\`. A number is a status,
and \`text 5\` a text of five bytes that reached the shard. \`closed\` means that the connection ended after the answer. \`cut\` means that it
ended without an answer or a close frame.

${sections.join('\n\n')}
`;
};
