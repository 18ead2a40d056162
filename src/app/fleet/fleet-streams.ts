import { StreamDirectory } from '../../bus/directory/index.js';
import type { Bus } from '../../bus/subjects/index.js';
import { startStreamFeed } from '../../journal/index.js';
import type { MetricsRow } from '../../metrics/index.js';

/** Ms between two writes of the gauge of kept streams. */
const gaugeInterval = 5000;

/**
 * Tells other engines about the streams of this engine, and closes streams that have a newer one on another engine.
 * Without a bus, it does nothing.
 */
export const followFleetStreams = (
  engineId: string,
  bus: Bus | null,
  metrics: MetricsRow,
): { close(): void } => {
  if (!bus?.members) return { close: () => undefined };
  const directory = new StreamDirectory({
    members: bus.members,
    replaced: (key) => feed.replaced(key),
    ignored: () => metrics.add('directory_messages_ignored_total'),
  });
  const feed = startStreamFeed(engineId, directory);
  const gauge = setInterval(() => metrics.set('directory_streams', directory.kept), gaugeInterval).unref();
  return {
    close: () => {
      clearInterval(gauge);
      directory.close();
      feed.close();
    },
  };
};
