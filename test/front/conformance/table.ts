/** Makes the table of docs/evidence/listeners.md. `node dist/test/front/conformance/print-table.js` prints it. */
import { type Area, outcomeOf } from './case.js';
import { frameAreas } from './frame-cases.js';
import { handshakes, requests } from './request-cases.js';

export const areas: readonly Area[] = [handshakes, ...frameAreas, requests];

const columns = { uws: 'uws 20.30', newer: 'uws 20.57', ws: 'ws' } as const;

/** The outcome in words that are clear in a single row of the page. */
const words = (outcome: string): string =>
  outcome === ''
    ? 'no answer'
    : outcome
        .replace(/\bclosed\b/, 'then closed')
        .replace(/\bcut\b/, 'connection ends')
        .replace('close none', 'close frame without a code')
        .replace(/\bclose (\d+)/, 'close frame $1')
        .replace(/\b(text|audio|pong) (\d+)/g, '$1 of $2 bytes')
        .replace(/\bof 1 bytes/g, 'of 1 byte')
        .replace(/(^|, )(\d{3})\b/g, '$1status $2')
        .replace(/(status 101) (\w[\w ]*)$/, '$1 with the subprotocol `$2`');

/** Kind of input in each area, by the area's title. It begins every row, so that the row is clear without its heading. */
const inputs: Readonly<Record<string, string>> = {
  Handshake: 'handshake',
  'Fragments and frames': 'frames',
  'Control frames': 'control frame',
  'UTF-8': 'text',
  'Close codes': 'close frame',
  Limits: 'message',
  'Requests to the sidecar': 'request',
};

/** One row per case. Listeners with the same outcome are named together. */
const rowsOf = ({ title, cases }: Area): string[] =>
  cases.map((one) => {
    const older = outcomeOf(one, 'uws');
    const newer = outcomeOf(one, 'newer');
    const ws = outcomeOf(one, 'ws');
    const parts = [
      ...(older === newer
        ? [`uws: ${words(older)}`]
        : [`${columns.uws}: ${words(older)}`, `${columns.newer}: ${words(newer)}`]),
      `${columns.ws}: ${words(ws)}`,
    ];
    const outcome = older === newer && newer === ws ? `uws and ws: ${words(ws)}` : parts.join('; ');
    return `| ${inputs[title] ?? title}: ${one.name} | ${outcome} |`;
  });

export const tableOf = (): string => {
  const sections = areas.map((area) =>
    [`### ${area.title}`, '', '| case | outcome |', '|---|---|', ...rowsOf(area)].join('\n'),
  );
  return `## Cases

\`node dist/test/front/conformance/print-table.js\` prints these tables from the expectations of \`test/front/conformance\`. Each row has what
a client sends, and the outcome for each listener:

- "uws" stands for both tested builds of uWebSockets.js, 20.30 and 20.57. "ws" stands for the library ws.
- "Status 101" means that the listener accepted the upgrade. "Status 200" is the answer of the test's sidecar: the listener treated the bytes
  as an ordinary HTTP request.
- "Text of 5 bytes" means that a text of five bytes reached the shard.
- "Close frame 1002" means that the listener sent a close frame with this code.
- "Then closed" means that the connection ended after the answer. "Connection ends" means that it ended without an answer or a close frame.

${sections.join('\n\n')}
`;
};
