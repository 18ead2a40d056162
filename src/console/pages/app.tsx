import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import {
  Heading,
  hasSignIn,
  type Key,
  keyListShown,
  Loading,
  me,
  ProblemNote,
  readMe,
  recording,
  searchWanted,
  session,
  signOut,
  useKeyListener,
  useKeys,
  useLoaded,
} from '../shared/index.js';
import { ConversationPage } from './conversation.js';
import { ConversationsPage } from './conversations.js';
import { KeyList } from './key-list.js';
import { SettingsPage } from './settings.js';
import { Today } from './today.js';

const LivePage = lazy(() => import('../live/index.js'));

const links = [
  ['/console', 'Today', 't'],
  ['/console/live', 'Live', 'l'],
  ['/console/conversations', 'Conversations', 'c'],
  ['/console/settings', 'Settings', 's'],
] as const;

const isAt = (path: string, link: string): boolean =>
  link === '/console' ? path === link || path === '/console/' : path.startsWith(link);

/** Returns the keys that work on all pages. */
const keysOf = (route: (address: string) => void): readonly Key[] => [
  {
    key: '/',
    does: 'Search conversations',
    run: () => {
      if (location.pathname !== '/console/conversations') route('/console/conversations');
      searchWanted.value = true;
    },
  },
  ...links.map(([link, title, letter]) => ({
    key: `g ${letter}`,
    does: `Go to ${title}`,
    run: () => {
      route(link);
      document.getElementById('content')?.focus();
    },
  })),
  {
    key: '?',
    does: 'List the keys',
    run: () => {
      keyListShown.value = true;
    },
  },
];

const Frame = () => {
  const { path, route } = useLocation();
  useKeyListener();
  useKeys('All pages', () => keysOf(route), [route]);
  return (
    <header>
      <a class="skip" href="#content">
        To the content
      </a>
      <nav aria-label="Pages">
        {links.map(([link, title]) => (
          <a key={link} href={link} aria-current={isAt(path, link) ? 'page' : undefined}>
            {title}
            {link === '/console/live' && recording.value && <span class="live"> recording</span>}
          </a>
        ))}
      </nav>
      <p class="user">
        <bdi>{me.value?.name ?? me.value?.address}</bdi>{' '}
        <button type="button" class="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
    </header>
  );
};

const Missing = () => (
  <>
    <Heading>No such page</Heading>
    <p>
      <a href="/console">Go to Today</a>
    </p>
  </>
);

const SignedOut = () => (
  <main id="content">
    <Heading>Console</Heading>
    <p>
      This browser is not signed in. The command <code>cochlea console</code> prints a link that signs it in.
    </p>
    {hasSignIn && (
      <p>
        <a href="/console/sign-in">Sign in</a>
      </p>
    )}
  </main>
);

/** Shown above a page whose session has ended. The page keeps what was typed. */
const SessionEnded = () => (
  <section class="note" role="alert" aria-label="The session has ended">
    <p>
      The session has ended. The command <code>cochlea console</code> prints a link that signs this browser
      in. Open it in another tab. This page stays.
    </p>
    {hasSignIn && (
      <p>
        <a href="/console/sign-in" target="_blank" rel="noopener">
          Sign in in another tab
        </a>
      </p>
    )}
    <button type="button" class="plain" onClick={() => void readMe().catch(() => undefined)}>
      I have signed in
    </button>
  </section>
);

/** All pages. */
export const App = () => {
  const first = useLoaded('me', readMe);
  if (session.value === 'none') return <SignedOut />;
  if (session.value === 'unknown')
    return (
      <main id="content">
        {first.problem === null ? <Loading /> : <ProblemNote problem={first.problem} retry={first.reload} />}
      </main>
    );
  return (
    <LocationProvider scope="/console">
      <Frame />
      <KeyList />
      <main id="content" tabIndex={-1}>
        {session.value === 'ended' && <SessionEnded />}
        <Router>
          <Route path="/console" component={Today} />
          <Route path="/console/live" component={LivePage} />
          <Route path="/console/conversations" component={ConversationsPage} />
          <Route path="/console/conversations/:id" component={ConversationPage} />
          <Route path="/console/settings" component={SettingsPage} />
          <Route default component={Missing} />
        </Router>
      </main>
    </LocationProvider>
  );
};
