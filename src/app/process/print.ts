/** The `--json` option of a command. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Prints a value as one line of JSON if the option requests it, else as lines of plain text. */
export const print = ({ json }: JsonOption, value: unknown, lines: readonly string[]): void => {
  const shown = json ? [JSON.stringify(value)] : lines;
  process.stdout.write(shown.map((line) => `${line}\n`).join(''));
};
