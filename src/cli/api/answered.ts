import { plainLine, safeJson, shortened } from '../output/index.js';
import { CommandFailure, type Outcome } from '../terminal/index.js';
import { retryAfter } from './retry-wait.js';

/** Result of a call of the generated client. */
export interface Result<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

const longestMessage = 500;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Formats a finding of a 422 answer: the name of the field, and the fault. */
const findingText = (finding: unknown): string => {
  if (!isRecord(finding)) return safeJson(finding);
  const place = Array.isArray(finding.loc) ? finding.loc.join('.') : '';
  return place === '' ? String(finding.msg) : `${place}: ${String(finding.msg)}`;
};

/** Returns the message in the body of an error answer, whatever the format of the body. */
const textOf = (body: unknown): string => {
  if (typeof body === 'string') return body;
  if (!isRecord(body)) return '';
  const { detail, message, error } = body;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(findingText).join('; ');
  if (detail !== undefined && detail !== null) return safeJson(detail);
  return typeof message === 'string' ? message : typeof error === 'string' ? error : '';
};

const outcomes: Readonly<Record<number, Outcome>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'absent',
  429: 'limited',
};

const heads: Readonly<Record<Outcome, string>> = {
  done: '',
  refused: 'Refused',
  unauthorized: 'Not allowed',
  unavailable: 'The service fails',
  limited: 'Rate limited',
  absent: 'Not found',
  interrupted: '',
};

/** Converts a refused request into a command failure. */
export const failureOf = ({ error, response }: Result<unknown>): CommandFailure => {
  const { status, headers } = response;
  const outcome = status >= 500 ? 'unavailable' : (outcomes[status] ?? 'refused');
  const said = shortened(plainLine(textOf(error)), longestMessage);
  const wait = outcome === 'limited' ? retryAfter(headers.get('retry-after')) : null;
  const message = [
    `${heads[outcome]} (${status})${said === '' ? '' : `: ${said.replace(/\.$/, '')}`}.`,
    ...(wait === null ? [] : [`Try again in ${Math.ceil(wait)} s.`]),
  ].join(' ');
  const detail = isRecord(error) && 'detail' in error ? error.detail : error;
  return new CommandFailure(outcome, message, detail);
};

const unreadable = (what: string): CommandFailure =>
  new CommandFailure('unavailable', `The service answers something other than ${what}.`);

/**
 * Returns the data of an answer: a record, or undefined for a 204 answer.
 * @throws CommandFailure for a status of 400 and above, and for an unexpected answer.
 */
export const answered = <Data>(result: Result<Data>): Data => {
  const { data, response } = result;
  if (!response.ok) throw failureOf(result);
  if (response.status !== 204 && (typeof data !== 'object' || data === null)) throw unreadable('a record');
  return data as Data;
};

/** Returns the list of records in an answer. @throws CommandFailure as `answered`, and if the answer is not a list. */
export const answeredList = <Item>(result: Result<readonly Item[]>): readonly Item[] => {
  const data = answered(result);
  if (!Array.isArray(data) || !data.every(isRecord)) throw unreadable('a list of records');
  return data as readonly Item[];
};
