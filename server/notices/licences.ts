import type { LockPackage } from './lock-packages';

/** What may be in the product: all other licences are refused until somebody has reviewed them. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'Zlib'],
  ...['FTL', 'HPND-sell-variant', 'IJG', 'WTFPL', 'blessing', 'curl', 'libpng-2.0', 'libtiff', 'Unlicense'],
  // Copyleft: for files that stay as they are (MPL), libraries that can be exchanged (LGPL) and programs (GPL).
  ...[
    'MPL-1.1',
    'MPL-2.0',
    'LGPL-2.0-or-later',
    'LGPL-2.1-or-later',
    'LGPL-3.0-or-later',
    'GPL-2.0-or-later',
  ],
]);

/** Packages that may be under the GPL: each is left out by leaving out its files. */
const GPL_ALLOWED: readonly string[] = ['@ffmpeg/core', '@napi-rs/webcodecs-'];

/** Of packages whose lock entry says nothing: what their maker declares in the package beside them. */
const DECLARED_ELSEWHERE: readonly (readonly [prefix: string, licence: string])[] = [
  ['@napi-rs/webcodecs-', 'MIT'],
];

/** The identifiers in an SPDX expression. */
const identifiers = (expression: string): string[] =>
  expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((part) => part.trim() !== '');

/** @throws where nothing says it */
export const licenceOf = ({ name, licence }: Pick<LockPackage, 'name' | 'licence'>): string => {
  const found = licence ?? DECLARED_ELSEWHERE.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (found === undefined) throw new Error(`${name} states no licence.`);
  return found;
};

/** @param owner the package. @throws where the licence is none that may be in the product */
export const requireAllowed = (owner: string, expression: string): void => {
  for (const id of identifiers(expression)) {
    if (!ALLOWED.has(id)) throw new Error(`${owner} is under ${id}, which is not allowed.`);
  }
  const isGpl = identifiers(expression).some((id) => id.startsWith('GPL')) && !expression.includes(' OR ');
  if (isGpl && !GPL_ALLOWED.some((allowed) => owner.startsWith(allowed))) {
    throw new Error(`${owner} is under the GPL, which is allowed for ${GPL_ALLOWED.join(', ')} alone.`);
  }
};
