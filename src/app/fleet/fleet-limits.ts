import type { Bus } from '../../bus/subjects/index.js';
import { FleetUsage } from '../../bus/usage/index.js';
import type { Settings } from '../../config/index.js';
import type { MetricsRow } from '../../metrics/index.js';

/** Ms between two writes of the gauge of kept names. */
const gaugeInterval = 5000;
/** Part of its allowance that an address must use before an engine reports it. So ordinary clients cause no messages. */
const reportedPart = 1 / 20;

/**
 * Shares the streams and opens of users and addresses with the other engines of a fleet, for limits that count over all
 * engines. @returns undefined without a bus.
 */
export const openFleetLimits = (
  { maxOpensPerAddress }: Settings,
  bus: Bus | null,
  metrics: MetricsRow,
): FleetUsage | undefined => {
  if (!bus?.members) return undefined;
  const address = Math.ceil(maxOpensPerAddress * reportedPart);
  const usage = new FleetUsage({
    members: bus.members,
    quiet: { user: 1, address, 'voice-user': 1, 'voice-address': address },
    ignored: () => metrics.add('usage_messages_ignored_total'),
  });
  setInterval(() => metrics.set('usage_names', usage.kept), gaugeInterval).unref();
  return usage;
};
