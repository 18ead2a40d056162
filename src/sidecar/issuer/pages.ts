import { passwordLength, sentenceOf } from '../../issuer/index.js';
import type { ConsoleBrowserRow, GrantRow, SessionRow } from '../../store/accounts/index.js';
import { type Html, html, page } from './html.js';

const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p role="alert">${problem}</p>`;

const emailField = (value = ''): Html => html`
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${value}">`;

/** Ways to sign in, in addition to a password. */
export interface Ways {
  readonly upstreams: readonly { readonly name: string; readonly label: string }[];
  /** Whether anyone may create an account. */
  readonly signUp: boolean;
}

/** Returns the page where a person signs in. @param action address of the interaction. */
export const signInPage = (
  action: string,
  client: string,
  { upstreams, signUp }: Ways,
  { problem, email }: { problem?: string; email?: string } = {},
): string =>
  page(
    'Sign in',
    html`${alert(problem)}
<p>to continue to <strong>${client}</strong></p>
<form method="post" action="${action}/sign-in">
${emailField(email)}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
<button type="submit">Sign in</button>
</form>
<form method="post" action="${action}/deny"><button class="plain" type="submit">Cancel</button></form>
${upstreams.length > 0 && html`<ul>${upstreams.map(({ name, label }) => html`<li><a href="${action}/with/${name}">Sign in with ${label}</a></li>`)}</ul>`}
<p>${signUp && html`<a href="/account/sign-up">Make an account</a> · `}<a href="/account/forgotten">Forgotten password</a></p>`,
  );

export interface ConsentRequest {
  readonly client: string;
  /** Where the redirect leads: the host of its address, or the URL scheme of a program on this computer. */
  readonly host: string;
  /** Whether the redirect leads to a program on the person's computer. */
  readonly local: boolean;
  readonly email: string;
  /** The scopes that an assistant requests; empty for an own application. */
  readonly scopes: readonly string[];
}

/** Returns the page where a person decides about a client's access. */
export const consentPage = (
  action: string,
  { client, host, local, email, scopes }: ConsentRequest,
  problem?: string,
): string =>
  page(
    `Allow ${client}?`,
    html`${alert(problem)}
<p>You are signed in as <strong>${email}</strong>. You will be sent to ${local && 'a program on this computer, '}<strong>${host}</strong>.</p>
<form method="post" action="${action}/consent">
${
  scopes.length === 0
    ? html`<p>It will be able to do everything that you can do here. Allow it only if you have just started it yourself.</p>`
    : html`<fieldset><legend>It may</legend>
${scopes.map(
  (scope, index) =>
    html`<label for="scope-${index}"><input id="scope-${index}" type="checkbox" name="scope" value="${scope}" checked> ${sentenceOf(scope)}</label>`,
)}
</fieldset>
<p>It gets the ticked permissions, including changes to your data. Remove a tick to deny a permission. You can revoke them on <a href="/account">your account page</a>.</p>
${local && html`<p>Allow it only if you have just started it yourself: other programs on this computer could ask in its name.</p>`}`
}
<button type="submit">Allow</button>
<button class="plain" type="submit" formaction="${action}/deny">Deny</button>
</form>`,
  );

/** Returns the page where a person requests a link by mail. */
export const linkRequestPage = (isNew: boolean, problem?: string): string =>
  page(
    isNew ? 'Make an account' : 'Forgotten password',
    html`${alert(problem)}
<p>${isNew ? 'We send you a link that confirms your address.' : 'We send you a link to set a new password.'}</p>
<form method="post" action="/account/link">
${emailField()}
<button type="submit">Send the link</button>
</form>`,
  );

/** Returns the page where a person who followed a link in a mail sets a password. */
export const passwordPage = (secret: string, email: string, exists: boolean, problem?: string): string =>
  page(
    exists ? 'Set a new password' : 'Choose a password',
    html`${alert(problem)}
<p>for <strong>${email}</strong></p>
${exists && html`<p>All sign-ins with the old password are ended, and assistants lose their access.</p>`}
<form method="post" action="/account/password">
<input type="hidden" name="link" value="${secret}">
<input type="email" name="email" autocomplete="username" value="${email}" hidden>
<label for="password">Password, ${passwordLength.least} characters or more</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${passwordLength.least}" maxlength="1024">
<button type="submit">Set the password</button>
</form>`,
  );

/** Returns the page that follows after a password was set. */
export const passwordSetPage = (): string =>
  page(
    'The password is set',
    html`<p>You can now sign in with it: in the application that you came from, or on <a href="/account">your account page</a>.</p>`,
  );

export interface AccountView {
  readonly uid: string;
  readonly email: string;
  /** Token that proves that a form was made for this session. */
  readonly token: string;
  readonly thisSession: string;
  readonly sessions: readonly SessionRow[];
  /** Browsers that are signed in to the console. */
  readonly consoles: readonly ConsoleBrowserRow[];
  readonly grants: readonly (GrantRow & { readonly name: string; readonly scopes: readonly string[] })[];
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

const action = (token: string, address: string, label: string | Html): Html =>
  html`<form method="post" action="${address}"><input type="hidden" name="token" value="${token}"><button class="plain" type="submit">${label}</button></form>`;

const minute = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const consoleBrowsers = (token: string, consoles: readonly ConsoleBrowserRow[]): Html =>
  html`<h2>Browsers at the console</h2>
<ul>${consoles.map(
    (browser, index) => html`<li>Signed in on ${day(browser.created_at)}, last used ${minute(browser.used_at)}
${action(token, `/account/consoles/${browser.id}/end`, `Sign out console browser ${index + 1}`)}</li>`,
  )}</ul>
${action(token, '/account/consoles/end', 'Sign out all browsers at the console')}`;

/** Returns the page where a person sees and ends sessions and the access of assistants. */
export const accountPage = ({
  uid,
  email,
  token,
  thisSession,
  sessions,
  consoles,
  grants,
}: AccountView): string =>
  page(
    'Your account',
    html`<p>You are signed in as <strong>${email}</strong>. Your user id (uid) is <code>${uid}</code>.</p>
${action(token, '/account/sign-out', 'Sign out')}
<h2>Keys</h2>
<p>Keys of programs and assistants are at the console:</p>
<ul><li><a href="/console/keys">API keys</a></li></ul>
<h2>Assistants</h2>
${
  grants.length === 0
    ? html`<p>No assistant has access.</p>`
    : html`<ul>${grants.map(
        (
          grant,
        ) => html`<li><strong>${grant.name}</strong>, since ${day(grant.created_at)}${grant.last_used_at && `, last used ${day(grant.last_used_at)}`}
<ul>${grant.scopes.map((scope) => html`<li>${sentenceOf(scope)}</li>`)}</ul>
${action(token, `/account/grants/${grant.id}/revoke`, html`Take back the access of <bdi>${grant.name}</bdi>`)}</li>`,
      )}</ul>`
}
<h2>Browsers</h2>
<ul>${sessions.map(
      (
        session,
        index,
      ) => html`<li>Signed in on ${day(session.created_at)}${session.id === thisSession && ' (this browser)'}
${session.id !== thisSession && action(token, `/account/sessions/${session.id}/end`, `Sign out browser ${index + 1}`)}</li>`,
    )}</ul>
${consoles.length > 0 && consoleBrowsers(token, consoles)}
${action(token, '/account/sign-out-everywhere', 'Sign out everywhere')}
<p><a href="/account/delete">Delete the account</a></p>`,
  );

/** Returns the page where a person deletes the account. */
export const deletionPage = (email: string, token: string): string =>
  page(
    'Delete your account?',
    html`<p>You are signed in as <strong>${email}</strong>.</p>
<p>Everything that belongs to the account is removed: conversations with their transcripts, memories, tasks, goals, people, settings, keys, and
the access of applications and assistants. Open streams are closed. The deletion cannot be undone.</p>
<form method="post" action="/account/delete">
<input type="hidden" name="token" value="${token}">
<label for="confirm"><input id="confirm" type="checkbox" name="confirm" value="yes" required> Delete it for good</label>
<button type="submit">Delete the account</button>
</form>
<p><a href="/account">Keep the account</a></p>`,
  );
