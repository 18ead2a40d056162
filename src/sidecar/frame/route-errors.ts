import { type ErrorCode, errorRegistry } from '../../errors/index.js';
import type { Route } from './route.js';

const ofCredential = (missing: ErrorCode, refused: ErrorCode): ErrorCode[] => [
  missing,
  refused,
  'api_key_family',
  'account_deletion_in_progress',
];

const ofScope = (scope: string | null): ErrorCode[] => (scope === null ? [] : ['scope_missing']);

const ofAccess = ({ access }: Route): ErrorCode[] => {
  switch (access.kind) {
    case 'open':
      return [];
    case 'entry':
      return ['cross_site'];
    case 'session':
      return ['console_session_missing', 'cross_site', 'account_deletion_in_progress'];
    case 'developer':
      return [
        ...ofCredential('api_key_missing', 'api_key_invalid'),
        ...ofScope(access.scope),
        ...(access.idToken ? (['auth_unavailable'] as const) : []),
      ];
    case 'keyOwner':
      return [...ofCredential('not_authenticated', 'credentials_invalid'), 'auth_unavailable'];
    case 'assistant':
      return [...ofCredential('assistant_missing', 'assistant_invalid'), ...ofScope(access.scope)];
    case 'firstParty':
      return [...ofCredential('auth_missing', 'auth_invalid'), 'auth_unavailable'];
  }
};

/** Whether the rate limit per client address applies to a route before the credential is checked. */
const countsAddress = ({ access }: Route): boolean => access.kind === 'keyOwner' || access.kind === 'entry';

const ofRequest = (route: Route): ErrorCode[] => [
  ...(route.body === undefined
    ? []
    : (['bad_request', 'body_too_large', 'texts_full', 'text_given_up'] as const)),
  ...(route.upload === undefined ? [] : (['multipart_invalid', 'bad_request', 'body_too_large'] as const)),
  // A path parameter matches no record if it is too long, or has an escape that is not UTF-8.
  ...(route.path === undefined ? [] : (['not_found'] as const)),
  ...((route.path ?? route.query ?? route.headers ?? route.body) ? (['validation_failed'] as const) : []),
  ...(route.checksOrigin === true ? (['origin_refused'] as const) : []),
  ...(route.limits.length === 0 && !countsAddress(route) ? [] : (['rate_limited'] as const)),
];

const ofAnswer = ({ answerBytes, inParts, file }: Route): ErrorCode[] => {
  const isInParts = inParts === true || file !== undefined;
  return [
    ...(answerBytes === undefined && !isInParts ? [] : (['answers_limited', 'answers_full'] as const)),
    ...(isInParts ? (['answer_outdated'] as const) : []),
  ];
};

/** Returns every error of an operation by status, lowest status first. */
export const errorsOf = (route: Route): Map<number, ErrorCode[]> => {
  const codes = new Set<ErrorCode>([
    ...ofAccess(route),
    ...(route.errors ?? []),
    ...ofRequest(route),
    ...ofAnswer(route),
    'internal',
    'database_unavailable',
    'request_timeout',
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { http = 500 } = errorRegistry[code] as { http?: number };
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
};
