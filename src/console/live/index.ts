/** The page that records: microphone, state, level, words and speakers. Browsers load it when it is opened. */
import './sign-out.js';

export { LivePage as default } from './live-page.js';
