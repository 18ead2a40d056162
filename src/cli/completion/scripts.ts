import type { Command } from 'commander';
import { choicesAt, type Node, nodesOf, plainDescription, valueOptions, wordsAt } from './tree.js';

/**
 * Makes shell completion scripts from the descriptions of the commands. A script contains all commands and options, so
 * completion starts no process.
 */

const name = 'cochlea-user';
const place = ({ path }: Node): string => path.join(' ');

const knownPaths = (nodes: readonly Node[]): string =>
  nodes
    .filter(({ path }) => path.length > 0)
    .map((node) => `"${place(node)}"`)
    .join('|');

/** Shell statements that differ between bash and zsh in the result of `sharedPart`. */
interface Dialect {
  /**
   * Returns the statement that offers the choices of an option.
   * @param values separated by spaces
   */
  choose(values: string): string;
  /** Statement that completes the value of an option without choices: it offers no words, or the names of files. */
  readonly value: string;
  /**
   * Returns the statement that stores the words that can follow a command. The last statement of the script offers the
   * stored words.
   */
  keep(words: readonly (readonly [word: string, description: string])[]): string;
}

/**
 * Returns the part that the scripts of bash and zsh share. The script of each shell begins a loop over the words of the
 * command line. This part ends the loop, and then offers words in `case` statements. The loop collects the words of the
 * command in the shell variable `at`, without values of options.
 */
const sharedPart = (nodes: readonly Node[], { choose, value, keep }: Dialect): string => {
  const choices = nodes.flatMap((node) =>
    choicesAt(node).map(
      ([options, values]) =>
        `    ${options.map((option) => `"${place(node)} ${option}"`).join('|')}) ${choose(values.join(' '))} ;;`,
    ),
  );
  const words = nodes.map((node) => `    "${place(node)}") ${keep(wordsAt(node, nodes[0]!.options))} ;;`);
  const withValue = valueOptions(nodes).join('|');
  return `    case "$word" in
      ${withValue}) ((i++)) ;;
      -*) ;;
      *)
        next="\${at:+$at }$word"
        case "$next" in ${knownPaths(nodes)}) at="$next" ;; esac
        ;;
    esac
  done
  case "$at $previous" in
${choices.join('\n')}
  esac
  case "$previous" in ${withValue}) ${value}; return ;; esac
  case "$at" in
${words.join('\n')}
  esac`;
};

const bash = (
  program: Command,
): string => `# Completion of ${name} for bash: source it, or put it into a folder of bash-completion as "${name}".
_cochlea_user() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" next word words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${sharedPart(nodesOf(program), {
  choose: (values) => `COMPREPLY=($(compgen -W "${values}" -- "$current")); return`,
  value: 'COMPREPLY=()',
  keep: (words) => `words="${words.map(([word]) => word).join(' ')}"`,
})}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cochlea_user ${name}
`;

const zsh = (program: Command): string => `#compdef ${name}
# Completion of ${name} for zsh: put it into a folder of fpath as "_${name}", or source it after compinit.
_cochlea_user() {
  local at="" next word previous="\${words[CURRENT-1]}" i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
${sharedPart(nodesOf(program), {
  choose: (values) => `compadd -- ${values}; return`,
  value: '_files',
  keep: (words) =>
    `entries=(${words.map(([word, description]) => `"${word}:${plainDescription(description)}"`).join(' ')})`,
})}
  _describe '${name}' entries || _files
}
compdef _cochlea_user ${name}
`;

const fish = (program: Command): string => {
  const nodes = nodesOf(program);
  const lines = nodes.flatMap((node) => {
    const at = `-n "__cochlea_user_at '${place(node)}'"`;
    const words = wordsAt(node, nodes[0]!.options).map(
      ([word, description]) => `complete -c ${name} ${at} -a '${word}' -d '${plainDescription(description)}'`,
    );
    const choices = choicesAt(node).flatMap(([options, values]) =>
      options.map(
        (option) =>
          `complete -c ${name} -f -n "__cochlea_user_value '${place(node)} ${option}'" -a '${values.join(' ')}'`,
      ),
    );
    return [...words, ...choices];
  });
  return `# Completion of ${name} for fish: put it into ~/.config/fish/completions/${name}.fish.
function __cochlea_user_place
  set -l at
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valueOptions(nodes).join(' ')}
        set skip 1
      case '-*'
      case '*'
        if contains -- (string join ' ' $at $word) ${knownPaths(nodes).replaceAll('|', ' ')}
          set at $at $word
        end
    end
  end
  test $skip = 0; or return 1
  echo "$at"
end
function __cochlea_user_at
  set -l at (__cochlea_user_place); or return 1
  test "$at" = "$argv[1]"
end
function __cochlea_user_value
  set -l tokens (commandline -opc)
  test (count $tokens) -gt 1; or return 1
  set -l last $tokens[-1]
  string match -q -- "*$last" "$argv[1]"; or return 1
  set -l before (string replace -- " $last" '' "$argv[1]")
  string match -q -- "*$before*" (string join ' ' -- $tokens)
end
${lines.join('\n')}
`;
};

export const completions: Readonly<Record<string, (program: Command) => string>> = { bash, zsh, fish };
