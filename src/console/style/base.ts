/** CSS rules of elements that look the same on all web pages. The rules use the properties of `tokens`. */
export const base = `* { box-sizing: border-box; }
:root { font: var(--type); }
body { margin: 0; background: var(--ground); color: var(--text); }
main { background: var(--sheet); border: 1px solid var(--line); border-radius: calc(2 * var(--round)); }
h1 { margin-top: 0; font-size: var(--title); overflow-wrap: anywhere; }
h2 { font-size: var(--large); }
a { color: var(--link); }
button { min-height: var(--target); padding: var(--space-2) 1.1rem; font: inherit; color: var(--on-action); background: var(--action); border: 1px solid var(--action); border-radius: var(--round); }
button.plain { color: inherit; background: transparent; border-color: var(--edge); }
input, select, textarea { min-height: var(--target); max-width: 100%; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--round); }
input[type=checkbox], input[type=radio] { flex: none; width: 24px; height: 24px; min-height: 24px; vertical-align: middle; accent-color: var(--action); }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: var(--round); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
::backdrop { background: var(--veil); }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
`;
