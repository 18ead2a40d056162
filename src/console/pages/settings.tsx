import { useState } from 'preact/hooks';
import {
  asProblem,
  Heading,
  me,
  type Problem,
  ProblemNote,
  request,
  Shown,
  timeOf,
  useLoaded,
} from '../shared/index.js';
import { KeySetting } from './key-list.js';
import { askSignOut } from './sign-out.js';

interface Browser {
  readonly id: string;
  readonly created_at: string;
  readonly used_at: string;
  readonly current: boolean;
}

const readBrowsers = async (): Promise<readonly Browser[]> =>
  (await request<{ readonly browsers: readonly Browser[] }>('browsers')).body.browsers;

/** The browsers in which the user is signed in. Each can be signed out, or all others at once. */
const Browsers = () => {
  const loaded = useLoaded('browsers', readBrowsers);
  const [problem, setProblem] = useState<Problem | null>(null);
  const end = async (path: string): Promise<void> => {
    try {
      await request(path, { method: 'DELETE' });
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
    loaded.reload();
  };
  return (
    <section aria-labelledby="browsers">
      <h2 id="browsers">Browsers</h2>
      {problem !== null && <ProblemNote problem={problem} retry={() => setProblem(null)} />}
      <Shown loaded={loaded}>
        {(browsers) => (
          <>
            <ul class="list">
              {browsers.map(({ id, created_at, used_at, current }, at) => (
                <li key={id}>
                  <p>
                    {current ? 'This browser' : `Browser ${at + 1}`}{' '}
                    <span class="small">
                      <span class="whole">signed in {timeOf(created_at)},</span>{' '}
                      <span class="whole">last used {timeOf(used_at)}</span>
                    </span>
                  </p>
                  {current ? (
                    <button type="button" class="plain" onClick={() => askSignOut()}>
                      Sign out here
                    </button>
                  ) : (
                    <button type="button" class="plain" onClick={() => void end(`browsers/${id}`)}>
                      Sign out browser {at + 1}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {browsers.length > 1 && (
              <button type="button" class="plain" onClick={() => void end('browsers')}>
                Sign out all other browsers
              </button>
            )}
          </>
        )}
      </Shown>
    </section>
  );
};

/**
 * Who is signed in, and where the keys and the account are. A user without an e-mail address cannot sign in to
 * the account page.
 */
const Account = () => {
  if (me.value === null) return null;
  const { uid, name, address, capabilities } = me.value;
  const hasAddress = address !== uid;

  return (
    <section aria-labelledby="account">
      <h2 id="account">Account</h2>
      <p>
        You are signed in as <bdi>{hasAddress ? address : (name ?? 'a user without a name')}</bdi>. Your user
        id (uid) is <code>{uid}</code>.
      </p>
      <p class="row">
        <a href="/console/keys">API keys of programs and assistants</a>
        {capabilities.account_page && hasAddress && (
          <a href="/account">Account page: assistants, sign-ins, deletion</a>
        )}
      </p>
    </section>
  );
};

/** Settings of the console. */
export const SettingsPage = () => (
  <>
    <Heading>Settings</Heading>
    <Account />
    <KeySetting />
    <Browsers />
  </>
);
