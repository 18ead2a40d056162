/** What all pages of the console use: requests, the session, states of data, names and times. */
export { type Answer, asProblem, comeBack, offlineSince, Problem, problemOf, request } from './api.js';
export { catchFocus } from './focus.js';
export { clockOf, momentOf, periodOf, speakerClass, timeOf } from './format.js';
export {
  type Key,
  keyGroups,
  keyListShown,
  keysOn,
  searchWanted,
  switchKeys,
  useKeyListener,
  useKeys,
} from './keys.js';
export { type Loaded, useLoaded } from './loaded.js';
export { Heading, Loading, ProblemNote, Shortcut, Shown, Speaker } from './parts.js';
export { recorderOf } from './recorder-names.js';
export { recording } from './recording.js';
export { useRepeated } from './repeated.js';
export {
  hasSignIn,
  type Me,
  me,
  onSignOut,
  readMe,
  type Session,
  session,
  signOut,
  signOutWanted,
} from './session.js';
export { addUnfinished, type Unfinished, unfinished } from './unfinished.js';
