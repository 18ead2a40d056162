/**
 * The process of a hostile crowd. Receives `{ port, crowd, seconds }` over IPC and reports counts once per second. Ends
 * with its parent process, and at the latest after `seconds`. Connects to loopback only.
 */
import { HostileClient } from './hostile-client.js';
import { type HostileCounts, type HostileCrowd, hostileKinds, mostHostile } from './hostile-kinds.js';

export interface HostileOrder {
  readonly port: number;
  readonly crowd: HostileCrowd;
  /** Seconds after which the program ends in any case. */
  readonly seconds: number;
}

const longest = 3600;

const run = ({ port, crowd, seconds }: HostileOrder): void => {
  const total = hostileKinds.reduce((sum, kind) => sum + crowd[kind], 0);
  if (total > mostHostile) throw new RangeError(`at most ${mostHostile} hostile clients`);
  const connects = Object.fromEntries(hostileKinds.map((kind) => [kind, 0])) as Record<
    (typeof hostileKinds)[number],
    number
  >;
  let ended = 0;
  const endings: Record<string, number> = {};
  let bytesSent = 0;
  const clients = hostileKinds.flatMap((kind) =>
    Array.from(
      { length: crowd[kind] },
      (_, index) =>
        new HostileClient(port, `hostile-${kind}-${index}`, kind, {
          connected: () => connects[kind]++,
          ended: (how) => {
            ended++;
            endings[how] = (endings[how] ?? 0) + 1;
          },
          sent: (bytes) => {
            bytesSent += bytes;
          },
        }),
    ),
  );
  const tell = (): void => {
    const counts: HostileCounts = { connects, ended, endings, bytesSent };
    if (process.connected) process.send?.(counts);
  };
  const leave = (): void => {
    for (const client of clients) client.stop();
    process.exit();
  };
  // The starts are spread over two seconds. Only the kind `churn` tests many connections at the same moment.
  for (const [index, client] of clients.entries()) {
    setTimeout(() => client.start(), (index * 2000) / clients.length);
  }
  setInterval(tell, 1000);
  setTimeout(leave, Math.min(seconds, longest) * 1000);
  process.on('disconnect', leave);
  process.on('SIGTERM', leave);
};

process.once('message', run);
