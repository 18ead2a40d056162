export { type DemoSpeech, demoSpeech, demoSpeeches, type LabelledSpeech } from './speech.js';
export { wordError } from './word-error.js';
