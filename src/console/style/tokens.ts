/**
 * All colours, spaces and type sizes of the web pages, as custom properties of CSS. The sign-in and account pages and
 * the console use only these. Each colour of the dark theme replaces one of the light theme.
 */
export const tokens = `:root {
  color-scheme: light dark;
  --ground: #f4f4f5;
  --sheet: #fff;
  --text: #18181b;
  --quiet: #52525b;
  --line: #d4d4d8;
  --edge: #71717a;
  --link: #1d4ed8;
  --action: #1d4ed8;
  --on-action: #fff;
  --focus: #b45309;
  --alert: #fef2f2;
  --alert-text: #7f1d1d;
  --alert-edge: #b91c1c;
  --veil: #18181b99;
  --who-0: #1d4ed8;
  --who-1: #9a3412;
  --who-2: #166534;
  --who-3: #6b21a8;
  --who-4: #9f1239;
  --who-5: #115e59;
  --space-1: .25rem;
  --space-2: .5rem;
  --space-3: .75rem;
  --space-4: 1rem;
  --space-6: 2rem;
  --target: 44px;
  --round: .25rem;
  --small: .9rem;
  --large: 1.1rem;
  --title: 1.5rem;
  --type: 1rem/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #18181b;
    --sheet: #27272a;
    --text: #f4f4f5;
    --quiet: #d4d4d8;
    --line: #52525b;
    --edge: #a1a1aa;
    --link: #93c5fd;
    --focus: #f59e0b;
    --alert: #450a0a;
    --alert-text: #fecaca;
    --alert-edge: #f87171;
    --veil: #000000b3;
    --who-0: #93c5fd;
    --who-1: #fdba74;
    --who-2: #86efac;
    --who-3: #d8b4fe;
    --who-4: #fda4af;
    --who-5: #5eead4;
  }
}
`;
