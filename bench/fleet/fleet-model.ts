import { buildReferenceCodec } from '../micro/reference-codec.js';
import { encodeLc3 } from '../packets/lc3-packets.js';
import { digest, loadPackets, type PacketName, packetPath } from '../packets/packets.js';
import { daySeconds } from '../packets/wearer-day.js';
import type { StreamClass } from './generator.js';

/**
 * Kinds of sound that the wearables of a fleet record. In `day`, most wearables have a quiet day and some have a
 * meeting. In `wearer-day`, each has speech for a quarter of the time, among changing sounds.
 */
export const fleetMaterials = ['speech', 'quiet-day', 'meeting', 'day', 'wearer-day'] as const;
export type FleetMaterial = (typeof fleetMaterials)[number];

/** The codec of a fleet. `opus_dtx` is Opus with DTX. `mixed` stands for several codecs and packet sizes. */
export const fleetCodecs = ['opus', 'opus_dtx', 'opus_fs320', 'pcm16', 'pcm8', 'lc3', 'mixed'] as const;
export type FleetCodec = (typeof fleetCodecs)[number];

export interface FleetModel {
  readonly classes: readonly StreamClass[];
  /** SHA-256 of every packet file, by file name. */
  readonly packets: Readonly<Record<string, string>>;
  /** Stream classes that were left out, each with the reason. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

type Scene = Exclude<FleetMaterial, 'day'>;

const scenesOf = (material: FleetMaterial): readonly (readonly [Scene, number])[] =>
  material === 'day'
    ? [
        ['quiet-day', 0.85],
        ['meeting', 0.15],
      ]
    : [[material, 1]];

interface Kind {
  readonly query: string;
  /** Returns the name of the packet file of a scene. Absent for LC3, whose packets have no fixed hash. */
  readonly packets?: (scene: Scene) => PacketName;
}

const kinds = {
  opus: { query: 'codec=opus&sample_rate=16000', packets: (scene) => scene },
  'opus-10ms': { query: 'codec=opus&sample_rate=16000', packets: (scene) => `${scene}-10ms` },
  'opus-60ms': { query: 'codec=opus&sample_rate=16000', packets: (scene) => `${scene}-60ms` },
  opus_dtx: { query: 'codec=opus&sample_rate=16000', packets: (scene) => `${scene}-dtx` },
  opus_fs320: { query: 'codec=opus_fs320&sample_rate=16000', packets: (scene) => scene },
  pcm16: { query: 'codec=pcm16&sample_rate=16000', packets: (scene) => `pcm16-${scene}` },
  pcm8: { query: 'codec=pcm8&sample_rate=8000', packets: (scene) => `pcm8-${scene}` },
  lc3: { query: 'codec=lc3_fs1030&sample_rate=16000' },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

const mixOf = (codec: FleetCodec): readonly (readonly [KindName, number])[] =>
  codec === 'mixed'
    ? [
        ['opus', 40],
        ['opus-10ms', 15],
        ['opus-60ms', 5],
        ['opus_fs320', 20],
        ['pcm16', 8],
        ['pcm8', 6],
        ['lc3', 6],
      ]
    : [[codec, 1]];

/** Returns a packet file with its hash. If the file is missing, encodes it first. */
const providePackets = async (
  kind: Kind,
  scene: Scene,
): Promise<{ name: string; path: string; frameMs: number; hash: string }> => {
  if (kind.packets === undefined) {
    const { path, frameMs, bytes } = await encodeLc3(await buildReferenceCodec(), {
      rate: 16_000,
      bytes: 30,
      ...(scene === 'wearer-day' && { material: 'wearer day', duration: daySeconds }),
    });
    return { name: 'lc3', path, frameMs, hash: digest(bytes) };
  }
  const name = kind.packets(scene);
  const { frameMs, bytes } = await loadPackets(name);
  return { name, path: packetPath(name), frameMs, hash: digest(bytes) };
};

/**
 * Returns the stream classes of a fleet. Encodes missing packet files first, which takes seconds. In LC3, only `speech`
 * and `wearer-day` are encoded. For the other sounds, a fleet with LC3 sends speech in noise, because the cost of LC3
 * hardly depends on the sound.
 * @throws Error when this machine encodes packets whose hash differs from the fixed one, or when no class is left.
 */
export const fleetModel = async (codec: FleetCodec, material: FleetMaterial): Promise<FleetModel> => {
  const classes: StreamClass[] = [];
  const packets: Record<string, string> = {};
  const skipped: { what: string; why: string }[] = [];
  for (const [kindName, share] of mixOf(codec)) {
    const kind: Kind = kinds[kindName];
    const scenes =
      kind.packets === undefined && material !== 'wearer-day'
        ? ([['speech', 1]] as const)
        : scenesOf(material);
    for (const [scene, weight] of scenes) {
      try {
        const { name, path, frameMs, hash } = await providePackets(kind, scene);
        packets[name] = hash;
        const query = `${kind.query}&channels=1&language=en`;
        classes.push({ name: `${kindName} ${scene}`, weight: share * weight, packets: path, frameMs, query });
      } catch (error) {
        if (codec !== 'mixed' || kindName !== 'lc3') throw error;
        skipped.push({ what: 'lc3', why: (error as Error).message });
      }
    }
  }
  return { classes, packets, skipped };
};
