import type { core } from 'zod';
import type { CochleaError } from '../../errors/index.js';

/** One finding of a validation, in the format that deployed clients parse. It contains no data of the request. */
export interface Finding {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** A request with an invalid body, query or path: status 422 with one finding per field. */
export class RequestInvalid extends Error {
  override readonly name = 'RequestInvalid';
  readonly statusCode = 422;

  constructor(readonly findings: readonly Finding[]) {
    super('request is not valid');
  }
}

const mostFindings = 100;

const placeOf: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

const at = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );

const typeFindings: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ['string_type', 'Input should be a valid string'],
  number: ['float_type', 'Input should be a valid number'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
};

const parsingFindings: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  number: ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  boolean: ['bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
};

type Described = Pick<Finding, 'type' | 'msg'>;

const typeFinding = (expected: string, input: unknown): Described => {
  const table = typeof input === 'string' ? { ...typeFindings, ...parsingFindings } : typeFindings;
  const [type, msg] = table[expected] ?? ['value_error', 'Input is not valid'];
  return { type, msg };
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sizeFinding = (issue: core.$ZodIssueTooSmall | core.$ZodIssueTooBig, input: unknown): Described => {
  const small = issue.code === 'too_small';
  const limit = Number(small ? issue.minimum : issue.maximum);
  const bound = small ? 'at least' : 'at most';
  if (issue.origin === 'array') {
    const actual = Array.isArray(input) ? input.length : 0;
    return {
      type: small ? 'too_short' : 'too_long',
      msg: `List should have ${bound} ${plural(limit, 'item')} after validation, not ${actual}`,
    };
  }
  if (issue.origin === 'string') {
    return {
      type: small ? 'string_too_short' : 'string_too_long',
      msg: `String should have ${bound} ${plural(limit, 'character')}`,
    };
  }
  return {
    type: small ? 'greater_than_equal' : 'less_than_equal',
    msg: `Input should be ${small ? 'greater' : 'less'} than or equal to ${limit}`,
  };
};

const describe = (issue: core.$ZodIssue, input: unknown): Described => {
  switch (issue.code) {
    case 'invalid_type':
      return typeFinding(issue.expected, input);
    case 'too_small':
    case 'too_big':
      return sizeFinding(issue, input);
    case 'custom':
      return { type: String(issue.params?.type ?? 'value_error'), msg: issue.message };
    default:
      return { type: 'value_error', msg: issue.message };
  }
};

/**
 * Converts the issues that zod reports to findings.
 * @param part the request part in the router's terms: body, querystring, params or headers.
 */
export const requestInvalid = (
  part: string,
  issues: readonly core.$ZodIssue[],
  data: unknown,
): RequestInvalid => {
  const place = placeOf[part] ?? part;
  return new RequestInvalid(
    issues.slice(0, mostFindings).map((issue) => {
      const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
      const input = at(data, path);
      const loc = [place, ...path];
      // The router passes null for an absent body.
      if (input === undefined || (input === null && path.length === 0)) {
        return { type: 'missing', loc, msg: 'Field required' };
      }
      const { type, msg } = describe(issue, input);
      return { type, loc, msg };
    }),
  );
};

/**
 * Returns the finding for a rule that schemas cannot express. The error's detail `at` is the path of the value, with
 * dots, for example `body.transcript_segments.0.end`. Without `at` the finding concerns the body.
 */
export const ruleFinding = ({ message, details }: CochleaError): Finding => ({
  type: 'value_error',
  loc: String(details.at ?? 'body')
    .split('.')
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
  msg: message,
});
