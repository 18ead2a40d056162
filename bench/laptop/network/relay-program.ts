/**
 * The relay process of a fleet: `node relay-program.js FILE SOCKET`. FILE has the relays as JSON. On SOCKET it takes one
 * line of JSON with the pairs of parts that are cut, and answers with the number of relays that are cut.
 */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { CuttableRelay, type RelayOptions } from './cuttable-relay.js';

/** A relay, and the parts at its two ends. */
export interface NamedRelay extends RelayOptions {
  readonly from: string;
  readonly to: string;
}

const [, , file = '', path = ''] = process.argv;
const relays = (JSON.parse(readFileSync(file, 'utf8')) as NamedRelay[]).map((options) => ({
  ...options,
  relay: new CuttableRelay(options),
}));
await Promise.all(relays.map(({ relay }) => relay.open()));

/** Whether a pair of cut parts separates two parts. The second name of the pair may be `*`. */
const isBetween = ([a, b]: readonly [string, string], from: string, to: string): boolean =>
  b === '*' ? a === from || a === to : (a === from && b === to) || (a === to && b === from);

/**
 * Cuts the relays between these pairs of parts, and mends all other relays. @returns the number of relays that are cut.
 */
const cutOnly = (pairs: readonly (readonly [string, string])[]): number => {
  let cut = 0;
  for (const { from, to, relay } of relays) {
    const isCut = pairs.some((pair) => isBetween(pair, from, to));
    if (isCut) {
      relay.cut();
      cut++;
    } else relay.mend();
  }
  return cut;
};

rmSync(path, { force: true });
const control = createServer((socket) => {
  socket.on('error', () => undefined);
  createInterface({ input: socket }).on('line', (line) => {
    socket.end(`${cutOnly(JSON.parse(line))}\n`);
  });
});
control.listen(path, () => {
  chmodSync(path, 0o600);
  process.stdout.write('ready\n');
});
