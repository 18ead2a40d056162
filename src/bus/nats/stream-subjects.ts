import type { NatsConnection } from '@nats-io/transport-node';
import { spillStream, spillSubjects } from '../subjects/index.js';

/** Number of subjects in a full page. The servers accept no smaller limit. */
const pageSize = 100_000;
/** Ms to wait for an answer. */
const answerTimeout = 5000;
/** Number of bytes that an answer with an error never reaches. */
const longestError = 4096;

/** A page of the list of subjects in the stream of spilled entries. Subjects of canaries are left out. */
export interface SubjectPage {
  /** Sorted subjects. The iterator decodes them one after the other, because an answer may have 10 MB. */
  readonly subjects: Iterable<string>;
  /** Number of subjects in the page. */
  readonly count: number;
  readonly isLast: boolean;
}

/**
 * Reads one page of subjects. The function of the NATS library is not used, because it would read all pages at once.
 * @param page number of the page, from 0.
 * @throws Error if the stream cannot be read.
 */
export const readSubjects = async (connection: NatsConnection, page: number): Promise<SubjectPage> => {
  const question = JSON.stringify({ subjects_filter: spillSubjects[0], offset: page * pageSize });
  const { data } = await connection.request(`$JS.API.STREAM.INFO.${spillStream}`, question, {
    timeout: answerTimeout,
  });
  const answer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (answer.length < longestError && answer.includes('"error":{'))
    throw new Error('the stream cochlea_spill cannot be read');
  let count = 0;
  for (const _ of keysOf(answer)) count++;
  return { subjects: { [Symbol.iterator]: () => keysOf(answer) }, count, isLast: count < pageSize };
};

const opening = '"cochlea.engine.';
const [quote, comma, brace] = [...'",{'].map((character) => character.charCodeAt(0));

/**
 * Yields the keys of a JSON text that begin like the subject of an engine. The quote at the beginning of a key follows
 * a comma or a brace, whereas a quote inside a string follows a backslash. Subjects of copies contain no quote, so a
 * key ends at the next quote.
 */
function* keysOf(json: Buffer): Generator<string> {
  for (let at = json.indexOf(opening); at !== -1; at = json.indexOf(opening, at + 1)) {
    const before = json[at - 1];
    if (before !== comma && before !== brace) continue;
    const end = json.indexOf(quote!, at + 1);
    if (end === -1) return;
    yield json.toString('latin1', at + 1, end);
  }
}
