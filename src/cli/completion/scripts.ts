import type { Command } from 'commander';
import { choicesAt, type Node, nodesOf, plainDescription, valueOptions, wordsAt } from './tree.js';

/**
 * Shell completion scripts. They are made from the descriptions of the commands. They contain all commands and options,
 * so that completion starts no process.
 */

const name = 'cochlea-user';
const place = ({ path }: Node): string => path.join(' ');

/** Returns the `case` branches that complete the value of an option with choices. */
const choiceCases = (nodes: readonly Node[], action: (values: string) => string): string =>
  nodes
    .flatMap((node) =>
      choicesAt(node).map(
        ([options, values]) =>
          `    ${options.map((option) => `"${place(node)} ${option}"`).join('|')}) ${action(values.join(' '))} ;;`,
      ),
    )
    .join('\n');

const knownPaths = (nodes: readonly Node[]): string =>
  nodes
    .filter(({ path }) => path.length > 0)
    .map((node) => `"${place(node)}"`)
    .join('|');

/**
 * Returns the `case` statement that parses a word of the line in bash and zsh. The shell variable `at` tracks the known
 * commands. Values of options are skipped.
 */
const wordCases = (nodes: readonly Node[]): string => `    case "$word" in
      ${valueOptions(nodes).join('|')}) ((i++)) ;;
      -*) ;;
      *)
        next="\${at:+$at }$word"
        case "$next" in ${knownPaths(nodes)}) at="$next" ;; esac
        ;;
    esac`;

const bash = (program: Command): string => {
  const nodes = nodesOf(program);
  const words = nodes.map(
    (node) =>
      `    "${place(node)}") words="${wordsAt(node, nodes[0]!.options)
        .map(([word]) => word)
        .join(' ')}" ;;`,
  );
  return `# Completion of ${name} for bash: source it, or put it into a folder of bash-completion as "${name}".
_cochlea_user() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" next word words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${wordCases(nodes)}
  done
  case "$at $previous" in
${choiceCases(nodes, (values) => `COMPREPLY=($(compgen -W "${values}" -- "$current")); return`)}
  esac
  case "$previous" in ${valueOptions(nodes).join('|')}) COMPREPLY=(); return ;; esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cochlea_user ${name}
`;
};

const zsh = (program: Command): string => {
  const nodes = nodesOf(program);
  const words = nodes.map((node) => {
    const entries = wordsAt(node, nodes[0]!.options).map(
      ([word, description]) => `"${word}:${plainDescription(description)}"`,
    );
    return `    "${place(node)}") entries=(${entries.join(' ')}) ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh: put it into a folder of fpath as "_${name}", or source it after compinit.
_cochlea_user() {
  local at="" next word previous="\${words[CURRENT-1]}" i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
${wordCases(nodes)}
  done
  case "$at $previous" in
${choiceCases(nodes, (values) => `compadd -- ${values}; return`)}
  esac
  case "$previous" in ${valueOptions(nodes).join('|')}) _files; return ;; esac
  case "$at" in
${words.join('\n')}
  esac
  _describe '${name}' entries || _files
}
compdef _cochlea_user ${name}
`;
};

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
