import type { FleetStatus, PartStatus } from './status.js';

/** Returns the details of a part that only its role has. */
const detailsOf = (part: PartStatus): string => {
  const { streams, spill, acknowledged, balancer, database, leader, transcriber, cutFrom } = part;
  return [
    database,
    leader ? 'leads JetStream' : undefined,
    streams === undefined ? undefined : `${streams} streams`,
    spill ? `${spill} batches in the spill` : undefined,
    ...Object.entries(acknowledged ?? {}).map(([place, count]) => `${place} ${count}`),
    balancer && `balancer ${balancer}`,
    transcriber && `uses ${transcriber}`,
    cutFrom.length > 0
      ? `cut off from ${cutFrom.map((name) => (name === '*' ? 'all' : name)).join(', ')}`
      : undefined,
  ]
    .filter(Boolean)
    .join('; ');
};

/** Returns the status as lines for a terminal, one for each part. */
export const statusTable = ({ url, network, primary, replication, parts }: FleetStatus): string => {
  const rows = parts.map((part) => [
    part.name,
    part.state,
    part.ready ? 'ready' : '-',
    part.pid === undefined ? '-' : String(part.pid),
    detailsOf(part),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const commits = {
    sync: 'commits wait for the standby',
    async: 'commits do not wait for the standby',
    none: 'no standby follows',
  };
  return [`${url}  network ${network}  primary ${primary}: ${commits[replication]}`, ...lines].join('\n');
};
