import type { Command } from 'commander';
import { release } from '../../config/process/index.js';
import { exitCodes } from '../terminal/index.js';
import { type Node, nodesOf } from './tree.js';

/** The manual page in the man(7) format, made from the descriptions of the commands. */

/** Escapes characters with a meaning in roff. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const definition = (term: string, text: string): string =>
  `.TP\n\\fB${escaped(term)}\\fR\n${escaped(text)}\n`;

const optionLines = ({ options }: Node): string =>
  options.map(({ flags, description }) => definition(flags, description || 'no description')).join('');

const commandSection = (node: Node): string => {
  const { path, command } = node;
  const args = command.registeredArguments.map((argument) => `<${argument.name()}>`).join(' ');
  const title = [...path, args].join(' ').trim();
  const options = node.options.filter(({ long }) => long !== '--help');
  return [
    `.SS ${escaped(title)}\n${escaped(command.description())}\n`,
    ...command.registeredArguments.map((argument) =>
      definition(`<${argument.name()}>`, argument.description),
    ),
    optionLines({ ...node, options }),
  ].join('');
};

const variables: readonly (readonly [string, string])[] = [
  ['COCHLEA_API_KEY', 'a developer key, instead of the stored credential'],
  ['COCHLEA_API_BASE', 'base address of the service'],
  ['COCHLEA_PROFILE', 'profile of the configuration file'],
  ['COCHLEA_CONFIG', 'the configuration file, instead of ~/.cochlea/config.toml'],
  ['NO_COLOR', 'print no colours'],
];

export const manPage = (program: Command): string => {
  const [root, ...nodes] = nodesOf(program);
  const commands = nodes.filter(({ command }) => command.commands.length === 0);
  return `.TH COCHLEA\\-USER 1 "" "cochlea ${escaped(release)}" "User Commands"
.SH NAME
cochlea\\-user \\- ${escaped(program.description())}
.SH SYNOPSIS
.B cochlea\\-user
[\\fIflags\\fR] \\fIcommand\\fR [\\fIarguments\\fR]
.SH FLAGS
${optionLines(root!)}.SH COMMANDS
${commands.map(commandSection).join('')}.SH ENVIRONMENT
A flag goes before a variable, a variable before the configuration file.
${variables.map(([variable, text]) => definition(variable, text)).join('')}.SH EXIT STATUS
${Object.values(exitCodes)
  .map(({ code, meaning }) => definition(String(code), meaning))
  .join('')}`;
};
