import { StreamDirectory } from '../../bus/directory/index.js';
import type { Members } from '../../bus/members/index.js';
import { startStreamFeed } from '../../journal/feeds/index.js';
import type { MetricsRow } from '../../metrics/index.js';

/** The streams that this engine shares with the other engines. */
export interface SharedStreams {
  /**
   * Returns the number of streams in the directory of this engine. Each engine keeps the directory for some of the
   * users, whose streams may be on other engines.
   */
  kept(): number;
  close(): void;
}

/**
 * Tells other engines about the streams of this engine. Closes a stream if another engine has a newer stream with the
 * same key.
 */
export const followFleetStreams = (
  engineId: string,
  members: Members,
  metrics: MetricsRow,
): SharedStreams => {
  const directory = new StreamDirectory({
    members,
    replaced: (key) => feed.replaced(key),
    ignored: () => metrics.add('directory_messages_ignored_total'),
  });
  const feed = startStreamFeed(engineId, directory);
  return {
    kept: () => directory.kept,
    close: () => {
      directory.close();
      feed.close();
    },
  };
};
