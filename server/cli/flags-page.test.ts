import { expect, it } from 'vitest';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import { FLAG_GROUPS } from './command-line';
import type { NamedOption } from './flag';

const OF_CLASS = new RegExp(`^(${OBJECT_CLASSES.join('|')})-`);
const OBJECTS = /\b(faces|license plates|persons|vehicles|text)\b/;
const DEFAULT = / \(([^()]+)\)$/;

const kindOf = ({ name }: NamedOption): string => name.replace(OF_CLASS, '<class>-');

/** A flag that each class has, once: with the defaults of all classes where these differ. */
const unitedOf = (kind: readonly NamedOption[]): NamedOption => {
  const [first] = kind as readonly [NamedOption];
  if (kind.length === 1) return first;
  const defaults = kind.map(({ name, help }) => [OF_CLASS.exec(name)?.[1], DEFAULT.exec(help)?.[1]] as const);
  const isAlike = defaults.every(([, value]) => value === defaults[0]?.[1]);
  const help = first.help.replace(OBJECTS, 'objects of the class');
  const named = defaults.map(([name, value]) => `${name} ${value}`).join(', ');
  return { ...first, name: kindOf(first), help: isAlike ? help : help.replace(DEFAULT, ` (${named})`) };
};

const united = (flags: readonly NamedOption[]): readonly NamedOption[] => {
  const kinds = new Set(flags.map(kindOf));
  return [...kinds].map((kind) => unitedOf(flags.filter((flag) => kindOf(flag) === kind)));
};

/** The first sentence of a help, with the values and the default, which stand at its end. */
const shortened = (help: string): string =>
  help
    .replace(/: a text of \d+ to \d+ characters without control characters/, '')
    .replace(/\. .*?(?=(?:: [\w-]+(?:, [\w-]+)+)?(?: \([^()]*\))?$)/, '');

const entry = ({ name, short, value, help }: NamedOption): string => {
  const form = [`--${name}`, ...(value ? [value] : [])].join(' ');
  const names = short ? `\`-${short}\`, \`${form}\`` : `\`${form}\``;
  return `- ${names}: ${shortened(help).replaceAll('<', '\\<')}`;
};

const PAGE = `# Flags

Each flag with its default in brackets; \`veil --help\` says more. \`<class>\` is one of ${OBJECT_CLASSES.map((name) => `\`${name}\``).join(', ')}.
[Settings](settings.md) says how a flag is named in the environment and in a configuration file. This page is made from
the tables of the program.

${FLAG_GROUPS.map(([title, flags]) => `## ${title}\n\n${united(flags).map(entry).join('\n')}`).join('\n\n')}
`;

it('docs/operate/flags.md lists all flags of the program', async () => {
  await expect(PAGE).toMatchFileSnapshot('../../docs/operate/flags.md');
});
