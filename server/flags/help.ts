import { BATCH_FLAGS } from './batch-flags';
import { COMMON_FLAGS } from './common-flags';
import type { Flag } from './flag';
import { SERVER_FLAGS } from './server-flags';

const FLAG_COLUMNS = 36;
const HELP_COLUMNS = 80;

/** Lines of whole words. */
const wrap = (text: string): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= HELP_COLUMNS) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

const inColumns = (flag: string, help: string): string =>
  [`  ${flag}`.padEnd(FLAG_COLUMNS), wrap(help).join(`\n${' '.repeat(FLAG_COLUMNS)}`)].join('');

const lineOf = ({ name, short, value, help }: Flag): string =>
  inColumns(
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  );
const linesOf = (flags: readonly Flag[]): string => flags.map(lineOf).join('\n');

export const HELP = `Hides faces, license plates, persons and vehicles in pictures and videos, on your own machine.

  veil [flags]                          serves the page and the API
  veil <file or folder>... -o <folder>  anonymises pictures and videos; folders with all in them

Both
${linesOf(COMMON_FLAGS)}
${inColumns('--config <file>', 'a JSON object that holds any of these flags by name')}
  --help, --version

Server
${linesOf(SERVER_FLAGS)}

Files and folders
${linesOf(BATCH_FLAGS)}

Each flag is also read from the environment, as in VEIL_MAX_UPLOAD=500MB. A flag counts more than the environment, and
that more than the file.
`;
