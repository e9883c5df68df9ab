import { BATCH_FLAGS } from './batch-flags';
import { COMMON_FLAGS } from './common-flags';
import type { Flag } from './flag';
import { SERVER_FLAGS } from './server-flags';

const FLAG_COLUMNS = 34;

const lineOf = ({ name, short, value, help }: Flag): string => {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return `  ${flag.padEnd(FLAG_COLUMNS)}${help}`;
};
const linesOf = (flags: readonly Flag[]): string => flags.map(lineOf).join('\n');

export const HELP = `Hides faces, license plates, persons and vehicles in pictures, on your own machine.

  veil [flags]                          serves the page and the API
  veil <file or folder>... -o <folder>  anonymises pictures; folders with all that is in them

Both
${linesOf(COMMON_FLAGS)}
  ${'--config <file>'.padEnd(FLAG_COLUMNS)}JSON object that holds any of these flags by name
  --help, --version

Server
${linesOf(SERVER_FLAGS)}

Files and folders
${linesOf(BATCH_FLAGS)}

Each flag is also read from the environment, as in VEIL_MAX_UPLOAD=500MB. A flag counts more than the environment, and
that more than the file.
`;
