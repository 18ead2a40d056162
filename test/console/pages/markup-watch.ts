/** Observes what pages do with texts that look like markup. */
import type { BrowserContext, Page } from 'playwright-core';

export interface Watch {
  /** What happened: `script`, `dialog`, `policy`, `request`, `window`, each with its details. The list grows. */
  readonly reports: string[];
}

/**
 * Begins to report scripts of payloads, dialogs, violations of the policy, new windows, and requests that leave the
 * service. Such requests are not sent.
 * @param base address of the service.
 */
export const watch = async (context: BrowserContext, base: string): Promise<Watch> => {
  const reports: string[] = [];
  const isOwn = (url: URL | string): boolean =>
    /^(data|blob|about):/.test(String(url)) || new URL(url).origin === base;
  await context.exposeFunction('report', (what: string) => void reports.push(what));
  await context.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      report('policy: ' + violatedDirective + ' ' + sample));
    Object.defineProperty(window, 'ran', { value: () => void report('script'), writable: false });`);
  await context.route(
    (url) => !isOwn(url),
    (route) => route.abort(),
  );
  context.on('request', (request) => isOwn(request.url()) || reports.push(`request: ${request.url()}`));
  const observe = (page: Page): void => {
    page.on('dialog', (dialog) => {
      reports.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('websocket', (socket) => {
      if (!socket.url().replace(/^ws/, 'http').startsWith(`${base}/`))
        reports.push(`request: ${socket.url()}`);
    });
    page.on('popup', (popup) => reports.push(`window: ${popup.url()}`));
  };
  for (const page of context.pages()) observe(page);
  context.on('page', observe);
  return { reports };
};

const elements = [
  'a bdi body br button canvas code details dialog div fieldset figure form h1 h2 h3 head header html img input kbd label legend li',
  'link main meta meter nav noscript ol option p path pre script section select small span strong summary svg table tbody td textarea',
  'th thead title tr ul',
].join(' ');

/** Runs in the page. Browsers show an answer of JSON in a `pre`. @returns what `strayIn` returns */
const findStray = `(names, isolated) => {
  const found = [];
  const known = new Set(names.split(' '));
  const isOwn = (value, tag) => {
    const { origin, protocol } = new URL(value, location.origin);
    return origin === location.origin || (tag === 'link' && value === 'data:,') || (tag === 'img' && /^(data|blob):$/.test(protocol));
  };
  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName;
    if (!known.has(tag)) found.push('element: ' + tag);
    if (tag === 'script' && (element.textContent !== '' || !element.hasAttribute('src')))
      found.push('element: script with text');
    for (const { name, value } of element.attributes) {
      if (/^(on|style$|srcdoc$|srcset$|http-equiv$|background$|ping$)/.test(name)) found.push('attribute: ' + name);
      if (/^(href|src|action|formaction|xlink:href|data|poster)$/.test(name) && !isOwn(value, tag))
        found.push('address: ' + value);
    }
  }
  const isInline = (element) => {
    const { display, unicodeBidi } = getComputedStyle(element);
    return /^(inline|contents)$/.test(display) && !unicodeBidi.includes('isolate');
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const text = isolated.find((one) => data.includes(one));
    if (text === undefined || parentElement.closest('.unseen') !== null) continue;
    let around = parentElement;
    while (isInline(around) && around.parentElement !== null) around = around.parentElement;
    if (!isolated.includes(around.textContent)) found.push('direction: ' + around.localName);
  }
  return found;
}`;

/**
 * Returns elements, attributes and addresses that the service itself never writes into a page.
 * @param isolated texts that change the direction of what follows. Each must be the whole text of its paragraph, or be
 * isolated from the paragraph's other words.
 */
export const strayIn = async (page: Page, isolated: readonly string[] = []): Promise<string[]> =>
  (await page.evaluate(
    `(${findStray})(${JSON.stringify(elements)}, ${JSON.stringify(isolated)})`,
  )) as string[];

/** Runs in the page. @returns what `missingIn` returns */
const findMissing = `(selector, texts, attribute) => {
  const read = (element) =>
    attribute === 'text' ? element.textContent : attribute === 'value' ? element.value : element.getAttribute(attribute);
  const shown = new Set([...document.querySelectorAll(selector)].map(read));
  return texts.filter((text) => !shown.has(text));
}`;

/**
 * Returns the texts that no selected element shows as they are.
 * @param attribute compares this attribute instead of the text; `value` is the text in a field.
 */
export const missingIn = async (
  page: Page,
  selector: string,
  texts: readonly string[],
  attribute = 'text',
): Promise<string[]> =>
  (await page.evaluate(
    `(${findMissing})(${[selector, texts, attribute].map((value) => JSON.stringify(value)).join(', ')})`,
  )) as string[];
