import { type FleetCodec, type FleetMaterial, type FleetModel, fleetModel } from './fleet-model.js';
import { type Generator, type GeneratorOptions, startGenerator } from './generator.js';
import type { LoadView } from './live-view.js';
import { warmUp } from './measure.js';
import { Session } from './session.js';
import type { Target } from './target.js';

/** The options of a fleet that do not depend on the server. */
export interface FleetOptions
  extends Pick<GeneratorOptions, 'rampPerS' | 'seed' | 'network' | 'keepAliveMs' | 'oddShare' | 'headers'> {
  readonly codec: FleetCodec;
  readonly material: FleetMaterial;
}

/** A server under load. */
export interface Load {
  readonly target: Target;
  readonly model: FleetModel;
  readonly session: Session;
  /** Resident memory of the server without streams, KB. */
  readonly baselineKb: number | undefined;
  /** Ends the generator and the server. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts a server and a generator, and lets both warm up.
 * @param startTarget starts the server. `close` of the load ends this server.
 * @param signal ends every wait.
 */
export const openLoad = async (
  startTarget: () => Promise<Target>,
  options: FleetOptions,
  view: LoadView,
  signal: AbortSignal,
): Promise<Load> => {
  const { codec, material, ...rest } = options;
  view.phase(`packets: ${codec} ${material}`);
  const model = await fleetModel(codec, material);
  signal.throwIfAborted();
  view.phase('starting the server');
  const target = await startTarget();
  let generator: Generator | undefined;
  const end = async (): Promise<void> => {
    try {
      await generator?.stop();
    } finally {
      await target.stop();
    }
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  try {
    signal.throwIfAborted();
    generator = await startGenerator({ ...rest, url: target.url, classes: model.classes });
    const session = new Session(target, generator, {
      signal,
      onTick: (tick) => view.tick(tick),
      disturbed: isDisturbed(options),
    });
    view.phase('warm-up');
    const baselineKb = await warmUp(session);
    return { target, model, session, baselineKb, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Describes the simulated network of a load, for reports; undefined without network effects. */
export const networkWords = ({
  network = {},
  oddShare = 0,
  keepAliveMs = 0,
}: FleetOptions): string | undefined => {
  const { jitterMs = 0, stallShare = 0, stallMs = 0, disconnectEveryS = 0, reconnectMs = 0 } = network;
  const words = [
    jitterMs > 0 && `jitter ${jitterMs} ms`,
    stallShare > 0 && `stalls of ${stallMs} ms, ${stallShare * 100} % of the time`,
    disconnectEveryS > 0 && `disconnects every ${disconnectEveryS} s for ${reconnectMs} ms`,
    keepAliveMs > 0 && `keep-alives every ${keepAliveMs} ms`,
    oddShare > 0 && `${oddShare * 100} % odd clients`,
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : words.join(', ');
};

/** Returns whether the load itself ends streams or sends audio that cannot be decoded. */
export const isDisturbed = ({ network, oddShare = 0 }: FleetOptions): boolean =>
  (network?.disconnectEveryS ?? 0) > 0 || oddShare > 0;

/** Returns the names and hashes of packet files, for the versions in a report. */
export const packetVersions = ({ packets }: FleetModel): Record<string, string> =>
  Object.fromEntries(Object.entries(packets).map(([name, hash]) => [`packets ${name}`, `sha256 ${hash}`]));
