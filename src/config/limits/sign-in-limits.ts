import type { FixedLimit } from './fixed-limit.js';

const limited = 'the page says that there were too many attempts (429)';
const noMail = 'nothing: every request for a link gets the same answer';

/** Sign-in limits that an operator cannot change. `RATE_LIMIT_BOOST` multiplies the limits per unit of time. */
export const signInLimits = {
  guessesOfBrowser: {
    value: 10,
    unit: 'passwords in 15 minutes',
    bounds:
      'Maximum number of wrong passwords for one e-mail address from a known browser. Such a browser signed in to the account, or set its password, in the last 180 days. The other limits of wrong passwords do not apply to it.',
    protects: 'accounts from guesses in a shared browser',
    client: limited,
  },
  guessesFromClient: {
    value: 10,
    unit: 'passwords in 15 minutes',
    bounds: 'Maximum number of wrong passwords for one e-mail address from one client address (IPv6: /64).',
    protects: 'accounts from guesses',
    client: limited,
  },
  guessesFromNetwork: {
    value: 200,
    unit: 'passwords an hour',
    bounds:
      'Maximum number of wrong passwords for all e-mail addresses together from one client address (IPv6: /64). This machine is exempt.',
    protects: 'accounts from trying one password with many addresses',
    client: limited,
  },
  guessesForAddress: {
    value: 100,
    unit: 'passwords an hour',
    bounds:
      'Maximum number of wrong passwords for one e-mail address from everywhere, except from known browsers. So an attacker cannot lock out the owner.',
    protects: 'accounts from guesses from many networks',
    client: `${limited}; a link by mail still opens the account`,
  },
  issuerAnswer: {
    value: 1_048_576,
    unit: 'bytes',
    bounds:
      'Maximum size of an answer of another issuer: at a sign-in, at a sign-out, and when its keys are read.',
    protects: 'the memory of the sidecar from an issuer whose answers do not end',
    client:
      'the sign-in fails with `issuer_away`, requests with `auth_unavailable`; a sign-out ends only the session here',
  },
  passwordsAtOnceOfClient: {
    value: 4,
    unit: 'passwords',
    bounds:
      'Maximum number of passwords that are checked or wait for a check at once. It counts by client address (IPv6: /64). This machine is exempt.',
    protects: 'the sign-in of others from a flood',
    client: limited,
  },
  passwordsWaiting: {
    value: 100,
    unit: 'passwords',
    bounds: 'Maximum number of passwords that wait to be hashed, in addition to the two being hashed.',
    protects: 'the memory and the answers of the sidecar from a flood',
    client: 'HTTP 503 `sign_in_busy` with `Retry-After`',
  },
  mailsToAddress: {
    value: 5,
    unit: 'mails an hour',
    bounds:
      'Maximum number of mails with links to one mailbox. Addresses that differ only after a "+" are the same mailbox.',
    protects: 'people from mail that they did not ask for',
    client: noMail,
  },
  mailsFromClient: {
    value: 20,
    unit: 'mails an hour',
    bounds:
      'Maximum number of mails with links that one client address (IPv6: /64) requests. This machine is exempt.',
    protects: 'people from floods of mail, and the reputation of the mail server',
    client: noMail,
  },
  authorizationRequest: {
    value: 4096,
    unit: 'characters',
    bounds:
      'Maximum length of path and query of an authorization request, which is stored while a person signs in.',
    protects: 'the disk of the database, from requests without a credential',
    client: 'HTTP 400',
  },
  signInsUnderWay: {
    value: 50_000,
    unit: 'sign-ins',
    bounds:
      'Maximum number of authorization requests that wait for a person. Beyond it the oldest are removed, every `SWEEP_INTERVAL`.',
    protects: 'the disk of the database, from requests without a credential',
    client: 'HTTP 400 `sign_in_ended`',
  },
  sessionsPerUser: {
    value: 100,
    unit: 'sessions',
    bounds:
      'Maximum number of browsers in which one user is signed in. A further sign-in signs out the browser that was used longest ago.',
    protects: 'the disk of the database, from one user',
    client: 'the page asks for a sign-in',
  },
  consoleSessionsPerUser: {
    value: 50,
    unit: 'sessions',
    bounds:
      'Maximum number of browsers in which one user is signed in to the console. A further sign-in ends the session that was used longest ago.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 401 `console_session_missing`',
  },
  consoleLinksPerUser: {
    value: 5,
    unit: 'links',
    bounds:
      'Maximum number of links to the console that work at the same time for one user. A further link replaces the oldest.',
    protects: 'the account, from links that were forgotten',
    client: 'HTTP 400 `console_link_ended`',
  },
  tokensPerGrant: {
    value: 100,
    unit: 'tokens',
    bounds:
      'Maximum number of access tokens, refresh tokens, and used refresh tokens (stored to detect replays) of one grant. A further token removes the oldest.',
    protects: 'the disk of the database, from a client that renews without end',
    client: 'a request with the oldest token gets 401 or `invalid_grant`',
  },
} as const satisfies Record<string, FixedLimit>;
