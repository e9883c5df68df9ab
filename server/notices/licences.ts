import type { LockPackage } from './lock-packages';

/** Licences that are allowed in the product. All others are refused until they are reviewed. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'Zlib'],
  ...['FTL', 'HPND-sell-variant', 'IJG', 'WTFPL', 'blessing', 'curl', 'libpng-2.0', 'libtiff', 'Unlicense'],
  // Copyleft: for unchanged files (MPL), replaceable libraries (LGPL) and programs (GPL).
  ...[
    'MPL-1.1',
    'MPL-2.0',
    'LGPL-2.0-or-later',
    'LGPL-2.1-or-later',
    // As old packages write it.
    'LGPL-3.0',
    'LGPL-3.0-or-later',
    'GPL-2.0-or-later',
  ],
]);

/** Packages that may be under the GPL. Each can be left out of the product by removing its files. */
const GPL_ALLOWED: readonly string[] = ['@ffmpeg/core', '@napi-rs/webcodecs-'];

/** Licences of packages without one in the lock file, as declared in another package of the same project. */
const DECLARED_ELSEWHERE: readonly (readonly [prefix: string, licence: string])[] = [
  ['@napi-rs/webcodecs-', 'MIT'],
];

/** The identifiers in an SPDX expression. */
const identifiers = (expression: string): string[] =>
  expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((part) => part.trim() !== '');

/** The licence of a package. @throws Error if it is unknown */
export const licenceOf = ({ name, licence }: Pick<LockPackage, 'name' | 'licence'>): string => {
  const found = licence ?? DECLARED_ELSEWHERE.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (found === undefined) throw new Error(`${name} states no licence.`);
  return found;
};

/** @param owner name of the package. @throws Error if the licence is not allowed in the product */
export const requireAllowed = (owner: string, expression: string): void => {
  for (const id of identifiers(expression)) {
    if (!ALLOWED.has(id)) throw new Error(`${owner} is under ${id}, which is not allowed.`);
  }
  const isGpl = identifiers(expression).some((id) => id.startsWith('GPL')) && !expression.includes(' OR ');
  if (isGpl && !GPL_ALLOWED.some((allowed) => owner.startsWith(allowed))) {
    throw new Error(`${owner} is under the GPL, which is allowed for ${GPL_ALLOWED.join(', ')} alone.`);
  }
};
