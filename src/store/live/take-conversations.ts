import type { BegunConversation } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';
import { judgeProposal, type OpenRow, openColumns, type Proposal } from '../proposals/index.js';
import type { Holder } from './engine-leases.js';
import { firstEpoch } from './epoch.js';
import { beginConversations, endConversation } from './leases.js';
import { resumeConversations } from './resume-conversations.js';
import { newlyTaken, type PastConversation, type TakenConversation } from './taken-conversation.js';

/**
 * Maximum number of conversations of one key that `takeConversations` examines. Further conversations are ended later
 * by `sweepOrphans`.
 */
const mostTaken = 20;

/** A stream that asks for a conversation. The user, source and device of `begun` are its key. */
export interface ConversationRequest {
  /** The conversation to insert if none is continued. */
  readonly begun: BegunConversation;
  /** A UUID that the client proposes; null when it proposes none. */
  readonly proposed: string | null;
  /** Whether to read the stored voices of a continued conversation. */
  readonly readsVoices: boolean;
}

/** A request whose key is locked, with the open conversations of the key, the newest first. */
interface LockedRequest {
  readonly request: ConversationRequest;
  /** Microseconds of the database's clock after the lock. */
  readonly takenAt: number;
  readonly rows: readonly OpenRow[];
}

/** What happens with a request: a conversation is continued or begun. */
interface Decision extends Omit<LockedRequest, 'rows'> {
  readonly continued: OpenRow | undefined;
  readonly finished: readonly string[];
  readonly past: PastConversation | null;
  /** Whether a new conversation gets the proposed id. */
  readonly isFree: boolean;
}

/**
 * Continues conversations, or begins them. The key of a conversation is its user, source and device.
 *
 * The newest in-progress conversation of a key is continued if it has been silent for less than the requested timeout.
 * Otherwise, the conversation `begun` is inserted. All other in-progress conversations of the key are ended. An
 * advisory lock lets only one transaction at a time open a conversation of a key.
 *
 * With a proposed id, only the conversation with that id is continued. If no conversation has the id, the new
 * conversation gets it. In all other cases `begun` is inserted with its own id.
 * @param requests the first request is always answered. Each other request is answered only if no other transaction has
 *   locked its key, and if it needs no statement of its own. So the number of statements is bounded, and no two
 *   transactions wait for each other's keys.
 * @returns for each request its conversation. null: the account of the user is deleted. undefined: the request was not
 *   answered, and the caller must repeat it.
 */
export const takeConversations = (
  sql: Sql,
  requests: readonly ConversationRequest[],
  holder: Holder,
): Promise<readonly (TakenConversation | null | undefined)[]> =>
  sql.begin(async (transaction) => {
    const locked = await lockRequests(transaction, requests);
    const decisions: Decision[] = [];
    for (const one of locked) {
      if (one.request === requests[0] || isSimple(one)) decisions.push(await decide(transaction, one));
    }
    const taken = new Map([
      ...(await continueAll(transaction, decisions, holder)),
      ...(await beginAll(transaction, decisions, holder)),
    ]);
    return requests.map((request) => taken.get(request));
  }) as Promise<readonly (TakenConversation | null | undefined)[]>;

const keyOf = ({ begun }: ConversationRequest): string =>
  JSON.stringify([begun.uid, begun.source, begun.deviceId]);

/**
 * Locks the key of the first request, then those keys of the other requests that no transaction holds. Also locks the
 * open conversations of all locked keys.
 */
const lockRequests = async (
  sql: TransactionSql,
  requests: readonly ConversationRequest[],
): Promise<readonly LockedRequest[]> => {
  const [first, ...others] = requests as readonly [ConversationRequest, ...ConversationRequest[]];
  // The clock is read after the lock was taken, so that later streams of the key get later times.
  const [turn] = await sql<{ taken_at: number }[]>`
    with locked as materialized (select pg_advisory_xact_lock(hashtextextended(${keyOf(first)}, 0)))
    select (extract(epoch from clock_timestamp()) * 1000000)::double precision as taken_at from locked`;
  const byKey = new Map(others.flatMap((one) => (one.proposed === null ? [[keyOf(one), one] as const] : [])));
  byKey.delete(keyOf(first));
  const free =
    byKey.size === 0
      ? []
      : await sql<{ key: string; taken_at: number }[]>`
          with locked as materialized (
            select key from unnest(${[...byKey.keys()]}::text[]) as key
            where pg_try_advisory_xact_lock(hashtextextended(key, 0)))
          select key, (extract(epoch from clock_timestamp()) * 1000000)::double precision as taken_at from locked`;
  const locked = [
    { request: first, takenAt: Math.round(turn!.taken_at) },
    ...free.map((row) => ({ request: byKey.get(row.key)!, takenAt: Math.round(row.taken_at) })),
  ];
  const rows = await openRows(sql, locked);
  return locked.map((one, place) => ({ ...one, rows: rows.filter((row) => row.place === place) }));
};

/**
 * Locks the rows of open conversations in the order of their ids. All transactions that lock several rows use this
 * order, to avoid deadlocks.
 */
const openRows = async (
  sql: TransactionSql,
  locked: readonly { readonly request: ConversationRequest }[],
): Promise<readonly (OpenRow & { readonly place: number })[]> => {
  const keys = locked.map(({ request: { begun } }, place) => ({
    place,
    uid: begun.uid,
    source: begun.source,
    device: begun.deviceId,
  }));
  const isOpen = sql`c.status = 'in_progress' and c.deleted_at is null and not c.discarded and not c.is_locked`;
  const rows = await sql<(OpenRow & { place: number })[]>`
    with found as materialized (
      select asked.place, newest.id as found_id
      from jsonb_to_recordset(${sql.json(keys)}) as asked(place integer, uid text, source text, device text)
      cross join lateral (
        select c.id from conversations c
        where c.uid = asked.uid and c.source = asked.source and c.client_device_id is not distinct from asked.device
          and ${isOpen}
        order by c.created_at desc, c.id limit ${mostTaken}) as newest
    )
    select found.place, ${sql.unsafe(openColumns)} from found join conversations c on c.id = found.found_id
    where ${isOpen} order by c.id for update of c`;
  // The sort is stable, so conversations with the same time stay in the order of their ids.
  return rows.sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
};

/**
 * Whether a request without a proposed id needs no further statement: its key has no conversation, or only one, which
 * the request continues.
 */
const isSimple = ({ request, rows }: LockedRequest): boolean =>
  rows.length === 0 || (rows.length === 1 && isRecent(rows[0]!, request));

const isRecent = (row: OpenRow, { begun }: ConversationRequest): boolean =>
  begun.createdAt - row.last_speech_at.getTime() < begun.timeout * 1000;

/** Decides which conversation a request continues, and ends the other conversations of its key. */
const decide = async (sql: TransactionSql, { request, takenAt, rows }: LockedRequest): Promise<Decision> => {
  const { begun, proposed } = request;
  const proposal: Proposal | null = proposed === null ? null : await judgeProposal(sql, proposed, begun);
  const asked = proposal?.kind === 'open' ? proposal.row : undefined;
  const wanted = proposal === null ? rows[0] : asked;
  const continued = wanted && isRecent(wanted, request) ? wanted : undefined;
  const ended = new Map<string, 'processing' | 'deleted' | undefined>();
  for (const row of [...rows, ...(asked ? [asked] : [])]) {
    if (row.id === continued?.id || ended.has(row.id)) continue;
    ended.set(row.id, await endConversation(sql, row.id, null, row.last_speech_at.getTime()));
  }
  const finished = [...ended].filter(([, how]) => how === 'processing').map(([id]) => id);
  const howAsked = asked && ended.get(asked.id);
  let past: PastConversation | null = null;
  if (proposal?.kind === 'past') past = { id: proposed!, status: proposal.status };
  else if (howAsked === 'processing') past = { id: proposed!, status: 'processing' };
  // If the conversation with the proposed id was silent for too long and empty, `endConversation` has removed it, so
  // its id is free.
  const isFree = proposal?.kind === 'free' || howAsked === 'deleted';
  return { request, takenAt, continued, finished, past, isFree };
};

const continueAll = async (
  sql: TransactionSql,
  decisions: readonly Decision[],
  holder: Holder,
): Promise<readonly [ConversationRequest, TakenConversation][]> => {
  const continuations = decisions.flatMap(({ request, continued: row }) =>
    row === undefined ? [] : [{ row, begun: request.begun, readsVoices: request.readsVoices }],
  );
  const resumed = await resumeConversations(sql, continuations, holder);
  return decisions.flatMap(({ request, takenAt, continued, finished }) =>
    continued === undefined ? [] : [[request, { ...resumed.get(continued.id)!, finished, takenAt }]],
  );
};

/**
 * Inserts conversations with the ids that their clients propose, or with their own. A proposed id may have been used
 * before, and writers and jobs of that conversation may still run. So a row with a proposed id begins with an epoch and
 * a revision that no row has had. Writes of these writers and jobs are then refused.
 */
const beginAll = async (
  sql: TransactionSql,
  decisions: readonly Decision[],
  holder: Holder,
): Promise<readonly [ConversationRequest, TakenConversation | null][]> => {
  const fresh = decisions.filter(({ continued }) => continued === undefined);
  const wanted = fresh.map(({ request: { begun, proposed }, isFree }) => {
    if (!isFree) return { begun };
    const first = firstEpoch();
    return { begun: { ...begun, id: proposed! }, epoch: first, revision: first };
  });
  const inserted = await beginConversations(sql, wanted, holder);
  // If a replay has just inserted a conversation with the proposed id, the conversation of the stream gets a new id.
  const left = fresh.filter(({ isFree }, place) => isFree && !inserted.has(wanted[place]!.begun.id));
  const own = await beginConversations(
    sql,
    left.map(({ request: { begun } }) => ({ begun })),
    holder,
  );
  return fresh.map(({ request, takenAt, finished, past }, place) => {
    const { begun, epoch = 1 } = wanted[place]!;
    const rest = { finished, past, takenAt };
    if (inserted.has(begun.id)) return [request, { ...newlyTaken(begun), ...rest, epoch }];
    if (own.has(request.begun.id)) return [request, { ...newlyTaken(request.begun), ...rest }];
    return [request, null];
  });
};
