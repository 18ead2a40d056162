/** The pages of the console: their frame and addresses. This file starts them in a browser. */
import { h, render } from 'preact';
import { App } from './app.js';

render(h(App, null), document.getElementById('app')!);
