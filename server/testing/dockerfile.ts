/** One instruction of a Dockerfile, for example `RUN` and `npm ci`. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, with continued lines joined and without comments. */
export const parseDockerfile = (text: string): readonly Instruction[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, rest };
    });

/** A list in an instruction, as in `ENTRYPOINT ["node", "main.js"]`. */
export const listOf = (rest: string): readonly string[] =>
  JSON.parse(rest.slice(rest.indexOf('['))) as string[];

/** Variables of an `ENV` instruction. */
export const variablesOf = (rest: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
