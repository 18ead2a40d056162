/**
 * The script of the page that enters the console. It reads the secret from the fragment of the address, which browsers
 * send to no server, and shows whose session the link opens. Only a click uses the link up. So the link stays valid if
 * a program fetches the page in advance.
 */
export const enterScript = `'use strict';
const state = document.getElementById('state');
const enter = document.getElementById('enter');
const link = location.hash.slice(1);
const send = async (path) => {
  const answer = await fetch('/console/api/' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-cochlea-console': '1' },
    body: JSON.stringify({ link }),
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(typeof body.detail === 'string' ? body.detail : 'HTTP ' + answer.status);
  return body;
};
// A name may change the direction of what follows it.
const isolated = (name) => {
  const text = document.createElement('bdi');
  text.textContent = name;
  return text;
};
const show = async (error) => {
  const mine = await fetch('/console/api/me').catch(() => null);
  if (mine?.ok) {
    const { name, address } = await mine.json();
    state.replaceChildren(error.message + '. But this browser is already signed in, as ', isolated(name ?? address), '.');
    document.getElementById('open').hidden = false;
    enter.hidden = true;
    return;
  }
  const signIn = document.getElementById('sign-in');
  if (signIn !== null) signIn.hidden = false;
  const ways = '. Make a new link with "npx cochlea console"' + (signIn === null ? '.' : ', or sign in.');
  state.textContent = error.message + ways;
  state.setAttribute('role', 'alert');
  enter.hidden = true;
};
enter.addEventListener('click', async () => {
  enter.disabled = true;
  try {
    await send('enter');
    location.replace('/console');
  } catch (error) {
    show(error);
  }
});
if (link === '') show(new Error('This address has no link'));
else
  send('enter/look').then(({ name }) => {
    state.replaceChildren('This link signs this browser in as ', isolated(name), '. It works once.');
    enter.replaceChildren('Continue as ', isolated(name));
    enter.hidden = false;
    enter.focus();
  }, show);
`;

/** The script of the page that shows who is signed in. */
export const signedInScript = `'use strict';
document.getElementById('sign-out')?.addEventListener('click', async ({ currentTarget: button }) => {
  button.disabled = true;
  const answer = await fetch('/console/api/sign-out', { method: 'POST', headers: { 'x-cochlea-console': '1' } });
  const { continue_at: to } = await answer.json().catch(() => ({}));
  if (typeof to === 'string') location.replace(to);
  else location.reload();
});
`;
