import { fileURLToPath } from 'node:url';
import { sidecarFlags } from '../../../src/app/process/child-flags.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { checkout } from '../../checkout.js';
import { callsOf, compareCalls, seedAssistants } from '../../mcp/assistants.js';
import type { SuiteOutcome } from '../../report/envelope.js';
import { type Bound, cpuBounds, lateBounds } from '../../rest/bounds.js';
import { loadInThread } from '../../rest/load-thread.js';
import { besidePeer, type MeasuredLoad, measureLoad } from '../../rest/measured-load.js';
import { startPeer, startSidecarProcess } from '../../rest/servers.js';
import { postgresVersion, startBenchDatabase } from '../database.js';
import { type Contender, measureInRounds, type Watch } from './rounds.js';

export interface McpOptions extends Watch, MeasuredLoad {
  /** Number of users. Each user has a session. Successive calls belong to different sessions. */
  readonly users: number;
  /** Number of memories of each user. A call returns all of them, up to 100. */
  readonly memories: number;
  readonly rounds: number;
  /** Ms of a warm-up load on each server, at twice the rate. It makes V8 compile the code before the measurement. */
  readonly warmUp: number;
  /** Whether the database waits at each commit until the disk has the data. */
  readonly durable: boolean;
}

export interface McpOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
}

const peerName = 'mcp-sdk';
const route = 'tools/call get_memories';
/** Factor for every rate limit. It is so large that no call is refused. */
const rateLimitBoost = 1_000_000;

/**
 * Compares the product's tool server with the server of the MCP SDK. Both use one database, and the same query, key
 * look-up and Node flags. Measures CPU per call and latency of `get_memories` at a constant rate.
 * @throws Error when the answers of the servers differ.
 */
export const runMcp = async (options: McpOptions): Promise<McpOutcome> => {
  const { users, memories, rate, rounds, warmUp, tell, signal } = options;
  const database = await startBenchDatabase(options.durable);
  const closing: (() => Promise<unknown>)[] = [() => database.remove()];
  try {
    const sql = connectDatabase(database.url, { max: 4, name: 'bench' });
    closing.unshift(() => sql.end({ timeout: 1 }));
    const keys = await seedAssistants(sql, users, memories);
    const serverOptions = { databaseUrl: database.url, rateLimitBoost };
    const sidecar = await startSidecarProcess(serverOptions);
    closing.unshift(() => sidecar.stop());
    const program = fileURLToPath(new URL('dist/bench/peers/mcp/server.js', checkout));
    const peer = await startPeer(peerName, [process.execPath, ...sidecarFlags, program], serverOptions);
    closing.unshift(() => peer.stop());
    const servers = [sidecar, peer] as const;
    const calls = [await callsOf(sidecar.url, keys), await callsOf(peer.url, keys)] as const;
    const alike = await compareCalls([sidecar.url, peer.url], calls);
    tell?.(`${alike} calls are answered alike`);
    for (const [index, { name, url }] of servers.entries()) {
      signal?.throwIfAborted();
      tell?.(`warming up: ${name}`);
      await loadInThread({ url, requests: calls[index]!, rate: 2 * rate, milliseconds: warmUp, warmUp: 0 });
    }
    const load = `${rate} a second`;
    const contenders = servers.map(
      (server, index): Contender => ({
        labels: { suite: 'mcp', contender: server.name, route, mode: `${load}, ${memories} memories` },
        measure: () => measureLoad(server, calls[index]!, database.pid, options),
      }),
    );
    const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell, signal });
    const names = [sidecar.name, peerName] as const;
    return {
      results: besidePeer(results, peerName),
      selfNoise,
      skipped: [],
      versions: { ...sidecar.versions, ...peer.versions, postgresql: await postgresVersion(sql) },
      bounds: [...cpuBounds(results, names, { most: 1, load }), ...lateBounds(results, names)],
    };
  } finally {
    for (const close of closing) await close();
  }
};
