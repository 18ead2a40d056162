/** Sample speech of the demo, and the word error against its text. */
export { type DemoSpeech, demoSpeech, demoSpeeches, type LabelledSpeech } from './speech.js';
export { wordError } from './word-error.js';
