import { expect, it } from 'vitest';
import { FLAG_GROUPS } from './command-line';
import { type NamedOption, variableOf } from './flag';

const entry = (option: NamedOption): string => {
  const { name, short, value, help } = option;
  const form = [`--${name}`, ...(value ? [value] : [])].join(' ');
  const names = short ? `\`-${short}\`, \`${form}\`` : `\`${form}\``;
  return `- ${names}, \`${variableOf(option)}\`: ${help.replaceAll('<', '\\<')}`;
};

const PAGE = `# Flags

Each flag with its environment variable and, in brackets, its default. The same names are the keys of a configuration
file: [settings](settings.md). This page is made from the tables of the program; \`veil --help\` prints the same.

${FLAG_GROUPS.map(([title, flags]) => `## ${title}\n\n${flags.map(entry).join('\n')}`).join('\n\n')}
`;

it('docs/operate/flags.md lists all flags of the program', async () => {
  await expect(PAGE).toMatchFileSnapshot('../../docs/operate/flags.md');
});
