import type { Members } from '../../bus/members/index.js';
import { FleetUsage } from '../../bus/usage/index.js';
import type { Settings } from '../../config/index.js';
import type { MetricsRow } from '../../metrics/index.js';

/**
 * An engine reports a client address to the other engines only after the address has used this share of its allowance.
 * So ordinary clients do not cause messages between engines.
 */
const reportedPart = 1 / 20;

/**
 * Shares with the other engines of a fleet how many streams each user and client address has and opens. So limits can
 * count over all engines.
 */
export const openFleetLimits = (
  { maxOpensPerAddress }: Settings,
  members: Members,
  metrics: MetricsRow,
): FleetUsage => {
  const address = Math.ceil(maxOpensPerAddress * reportedPart);
  return new FleetUsage({
    members,
    quiet: { user: 1, address, 'voice-user': 1, 'voice-address': address },
    ignored: () => metrics.add('usage_messages_ignored_total'),
  });
};
