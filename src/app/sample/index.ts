/** The sample speech of the demo, and the word error rate of its transcript. */
export { type DemoSpeech, demoSpeech, demoSpeeches, type LabelledSpeech } from './speech.js';
export { wordError } from './word-error.js';
