/** The kinds of hostile clients: what each does to a server, over and over. */

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

/** Kinds that send images, which are looked at alone. */
const imageKinds: readonly HostileKind[] = ['images', 'image-storm'];

/** Those that a crowd has unless others are asked for. */
export const usualKinds: readonly HostileKind[] = hostileKinds.filter((kind) => !imageKinds.includes(kind));

/** How many clients of a crowd send images. */
export const sendersOfImages = (crowd: HostileCrowd): number =>
  imageKinds.reduce((sum, kind) => sum + crowd[kind], 0);

/** How many clients there are of each kind. */
export type HostileCrowd = Readonly<Record<HostileKind, number>>;

/** Most clients of one crowd: each holds a file descriptor here and there. */
export const mostHostile = 3000;

/** Most streams that send images. */
const mostImages = 100;

/**
 * As many hostile connections as honest streams, of which a third each flood text, read slowly and churn; beside them, for
 * every ten of those at least one slow upload, one stream of short packets and one upgrade that is never ended.
 * Streams that send images, of either kind, are as many as honest ones, up to a hundred.
 * @param kinds those there are; the others count zero.
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

/** What a crowd has done since it began. */
export interface HostileCounts {
  /** Connections opened, by kind. */
  readonly connects: Readonly<Record<HostileKind, number>>;
  /** Connections that the server ended. */
  readonly ended: number;
  /** The same by how: close code and reason, or the status of the answer to an upgrade. */
  readonly endings: Readonly<Record<string, number>>;
  readonly bytesSent: number;
}
