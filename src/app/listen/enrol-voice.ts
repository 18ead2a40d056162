import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { endingFetch } from '../../common/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { enrolmentPath } from '../../wire/index.js';

/** Timeout in ms for the answer, which the service sends after it has computed the profile. */
const timeout = 300_000;

/** Answer of the service to an enrolment. */
export interface Enrolment {
  readonly speech_seconds: number;
  /** Reason why the file lacks audio; absent if the file seems complete. */
  readonly incomplete?: string;
}

const problem = (body: unknown, status: number): string => {
  const detail = (body as { readonly detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : `HTTP ${status}`;
};

/**
 * Sends a recording of the user's voice to a service. The service then recognises the user in later speech.
 * @param origin address of the service, `http://` or `https://`.
 * @throws CochleaError file_unreadable, connection_failed, token_refused, bad_request with the answer of the service.
 */
export const enrolVoice = async (
  path: string,
  origin: string,
  token: string | undefined,
): Promise<Enrolment> => {
  const file = await openAsBlob(path).catch((error: unknown) => {
    throw new CochleaError('file_unreadable', { path, why: reasonOf(error) });
  });
  const form = new FormData();
  form.append('file', file, basename(path));
  const answer = await endingFetch(new URL(enrolmentPath, origin), {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(timeout),
  }).catch((error: unknown) => {
    throw new CochleaError('connection_failed', { url: origin, why: reasonOf(error) });
  });
  const body: unknown = await answer.json().catch(() => null);
  if (answer.status === 401)
    throw new CochleaError('token_refused', { url: origin, why: problem(body, 401) });
  if (!answer.ok) throw new CochleaError('bad_request', { why: problem(body, answer.status) });
  return body as Enrolment;
};
