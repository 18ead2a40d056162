/** The kinds of hostile clients. Each kind repeats its attack. */

export const hostileKinds = [
  'flood',
  'slow-reader',
  'churn',
  'upload',
  'short-packet',
  'half-open',
  'images',
  'image-storm',
] as const;
export type HostileKind = (typeof hostileKinds)[number];

/** Kinds that send images. They run in separate measurements. */
const imageKinds: readonly HostileKind[] = ['images', 'image-storm'];

/** Kinds of clients in a crowd by default. */
export const usualKinds: readonly HostileKind[] = hostileKinds.filter((kind) => !imageKinds.includes(kind));

/** Returns the number of clients in a crowd that send images. */
export const sendersOfImages = (crowd: HostileCrowd): number =>
  imageKinds.reduce((sum, kind) => sum + crowd[kind], 0);

/** Number of clients of each kind. */
export type HostileCrowd = Readonly<Record<HostileKind, number>>;

/** Maximum number of clients in one crowd. Each client needs a file descriptor here and another one in the server. */
export const mostHostile = 3000;

/** Maximum number of streams that send images. */
const mostImages = 100;

/**
 * Returns the size of a crowd. It has as many connections as there are honest streams, up to 1500. A third of its
 * clients send floods of text, a third read slowly, and a third connect and disconnect.
 *
 * In addition, for every ten of these clients, one client uploads slowly, one sends short packets and one never ends
 * its upgrade. Each of these three kinds has between 1 and 64 clients. Each image kind has as many streams as there are
 * honest streams, up to a hundred.
 * @param kinds kinds to use. The number of clients of all other kinds is zero.
 */
export const crowdFor = (streams: number, kinds: readonly HostileKind[] = usualKinds): HostileCrowd => {
  const connections = Math.min(streams, mostHostile / 2);
  const third = Math.floor(connections / 3);
  const beside = Math.min(64, Math.max(1, Math.floor(connections / 10)));
  const all: HostileCrowd = {
    flood: connections - 2 * third,
    'slow-reader': third,
    churn: third,
    upload: beside,
    'short-packet': beside,
    'half-open': beside,
    images: Math.min(connections, mostImages),
    'image-storm': Math.min(connections, mostImages),
  };
  const counts = hostileKinds.map((kind) => [kind, kinds.includes(kind) ? all[kind] : 0]);
  return Object.fromEntries(counts) as HostileCrowd;
};

/** Counters since the beginning of a crowd. */
export interface HostileCounts {
  /** Number of connections opened, by kind. */
  readonly connects: Readonly<Record<HostileKind, number>>;
  /** Number of connections that the server ended. */
  readonly ended: number;
  /**
   * Number of connections that the server ended, by close code and reason, or by HTTP status of the refused upgrade.
   */
  readonly endings: Readonly<Record<string, number>>;
  readonly bytesSent: number;
}
