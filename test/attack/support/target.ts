/** Starts the product with two users for an attack: a victim with private data, and an attacker. */
import { randomBytes } from 'node:crypto';
import { type Service, serviceOnTestDatabase, type User } from '../../support/service.js';
import { RawConnection, type RawConnectionOptions } from './raw-connection.js';

interface Teardown {
  teardown(action: () => Promise<void>): void;
}

/** A user with a developer key and one conversation. Its text contains a unique marker. */
export interface Party extends User {
  readonly key: string;
  /** Unique text in the party's conversation. */
  readonly marker: string;
  readonly conversation: string;
}

export interface ProcessIds {
  readonly engine: readonly number[];
  readonly sidecar: readonly number[];
}

export interface AttackTarget {
  readonly service: Service;
  readonly port: number;
  readonly victim: Party;
  readonly attacker: Party;
  /** Returns the process id of the engine. @throws Error unless there is exactly one engine process. */
  enginePid(): number;
  /** Returns the process ids of engine and sidecar. Equal ids before and after an attack show that neither restarted. */
  processIds(): ProcessIds;
  connect(options?: RawConnectionOptions): Promise<RawConnection>;
  /** Returns a party's conversations from REST, with transcripts. @throws Error unless the status is 200. */
  conversationsOf(party: Party): Promise<string>;
}

/** Returns a body for `from-segments` with one sentence. */
export const segmentsBody = (text: string): string =>
  JSON.stringify({ transcript_segments: [{ text, start: 0, end: 4 }] });

const post = async (service: Service, key: string, body: string): Promise<string> => {
  const answer = await fetch(`${service.base}/v1/dev/user/conversations/from-segments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
};

const makeParty = async (service: Service, uid: string): Promise<Party> => {
  const user = await service.user(uid);
  const key = await service.developerKey(uid);
  const marker = `${uid}-secret-${randomBytes(9).toString('hex')}`;
  const conversation = await post(
    service,
    key,
    segmentsBody(`We agreed that the password for the archive is ${marker} until Friday morning.`),
  );
  return { ...user, key, marker, conversation };
};

/** Starts the product with a victim and an attacker. Lifts the rate limits of REST unless `extra` sets them. */
export const startTarget = async (t: Teardown, extra: NodeJS.ProcessEnv = {}): Promise<AttackTarget> => {
  const service = await serviceOnTestDatabase(t, { RATE_LIMIT_BOOST: '100000', ...extra });
  const victim = await makeParty(service, 'victim');
  const attacker = await makeParty(service, 'attacker');
  const port = Number(new URL(service.base).port);
  const processIds = (): ProcessIds => ({
    engine: service.processes('cochlea.js engine'),
    sidecar: service.processes('cochlea.js sidecar'),
  });
  return {
    service,
    port,
    victim,
    attacker,
    processIds,
    enginePid: () => {
      const { engine } = processIds();
      if (engine.length !== 1) throw new Error(`${engine.length} engines run`);
      return engine[0]!;
    },
    connect: (options) => RawConnection.open(port, options),
    conversationsOf: async ({ key }) => {
      const url = `${service.base}/v1/dev/user/conversations?include_transcript=true&limit=25`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${text}`);
      return text;
    },
  };
};
