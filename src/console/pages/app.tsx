import { useEffect, useRef } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import {
  catchFocus,
  Heading,
  type Key,
  keyListShown,
  me,
  readMe,
  recording,
  Shown,
  searchWanted,
  session,
  useKeyListener,
  useKeys,
  useLoaded,
} from '../shared/index.js';
import { ConversationPage } from './conversation.js';
import { ConversationsPage } from './conversations.js';
import { KeyList } from './key-list.js';
import { Boundary, laterPage } from './page-part.js';
import { Deleting, OfflineNote, SessionEnded, SignedOut, useReconnect } from './session-states.js';
import { SettingsPage } from './settings.js';
import { askSignOut, SignOutQuestion } from './sign-out.js';
import { Today } from './today.js';

const LivePage = laterPage(
  'Live',
  () => import('../live/index.js'),
  (module) => module.default,
);

const KeysPage = laterPage(
  'API keys',
  () => import('../api-keys/index.js'),
  (module) => module.default,
);

const links = [
  ['/console', 'Today', 't'],
  ['/console/live', 'Live', 'l'],
  ['/console/conversations', 'Conversations', 'c'],
  ['/console/keys', 'API keys', 'k'],
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
        <button type="button" class="plain" onClick={() => askSignOut()}>
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

/** The frame and the page that the address names. */
const Pages = () => {
  const { path } = useLocation();
  const content = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    // Moves the focus to the content, because it was on a link that may be gone on the new page.
    if (shown.current !== path) catchFocus(content.current);
    shown.current = path;
  }, [path]);
  return (
    <>
      <Frame />
      <KeyList />
      <SignOutQuestion />
      <main id="content" tabIndex={-1} ref={content}>
        <SessionEnded />
        <OfflineNote />
        <Boundary path={path}>
          <Router>
            <Route path="/console" component={Today} />
            <Route path="/console/live" component={LivePage} />
            <Route path="/console/conversations" component={ConversationsPage} />
            <Route path="/console/conversations/:id" component={ConversationPage} />
            <Route path="/console/keys" component={KeysPage} />
            <Route path="/console/settings" component={SettingsPage} />
            <Route default component={Missing} />
          </Router>
        </Boundary>
      </main>
    </>
  );
};

/** All pages. */
export const App = () => {
  const first = useLoaded('me', readMe);
  useReconnect();
  if (session.value === 'none') return <SignedOut />;
  if (session.value === 'deleting') return <Deleting />;
  if (session.value === 'unknown')
    return (
      <main id="content">
        <Heading>Console</Heading>
        <Shown loaded={first}>{() => null}</Shown>
      </main>
    );
  return (
    <LocationProvider scope="/console">
      <Pages />
    </LocationProvider>
  );
};
