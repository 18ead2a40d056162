/** The table of docs/listeners.md: `node dist/test/front/conformance/print-table.js` prints it. */
import { type Area, outcomeOf } from './case.js';
import { frameAreas } from './frame-cases.js';
import { handshakes, requests } from './request-cases.js';

export const areas: readonly Area[] = [handshakes, ...frameAreas, requests];

const words = (outcome: string): string => (outcome === '' ? 'nothing' : outcome);

/** One row for each case; where the listeners differ, both outcomes. */
const rowsOf = ({ cases }: Area): string[] =>
  cases.map((one) => {
    const [uws, ws] = [words(outcomeOf(one, 'uws')), words(outcomeOf(one, 'ws'))];
    return `| ${one.name} | ${uws === ws ? `${uws} | |` : `${uws} | ${ws} |`}`;
  });

export const tableOf = (): string => {
  const sections = areas.map((area) =>
    [`### ${area.title}`, '', '| case | uws | ws, where it differs |', '|---|---|---|', ...rowsOf(area)].join(
      '\n',
    ),
  );
  return `## Cases

Printed by \`node dist/test/front/conformance/print-table.js\` from what \`test/front/conformance\` expects. A number is a status,
\`text 5\` a text of five bytes that reached the shard, \`closed\` that the connection ended after the answer, \`cut\` that it ended
without an answer or a close frame.

${sections.join('\n\n')}
`;
};
