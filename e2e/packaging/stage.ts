import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { type Instruction, variablesOf } from '../../server/testing/dockerfile';

/** Commands that would change this machine. They are recorded instead of executed. */
const NOT_TRIED = ['apt-get', 'chown'];

/** Absolute paths in a command, except those of the system's own programs. */
const ABSOLUTE = /(?<=^|[\s=])\/(?!bin\/|usr\/|dev\/)(?=\w)/g;

/** A stage of a Dockerfile: a folder that represents its file system. */
export interface Stage {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Moves absolute paths into the stage's folder. */
  inside(text: string): string;
  /** @throws Error if a command of `RUN` fails, or an instruction is unknown */
  execute(instruction: Instruction): void;
}

export interface StageParts {
  readonly root: string;
  /** Source of `COPY`: the checkout's tracked files. */
  readonly checkout: string;
  readonly isIgnored: (path: string) => boolean;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly environment: NodeJS.ProcessEnv;
  /** File to which each skipped command is appended. */
  readonly notes: string;
}

/** Replaces the skipped commands by scripts in a folder that is first in the path. */
const shims = (folder: string, notes: string): string => {
  mkdirSync(folder, { recursive: true });
  for (const name of NOT_TRIED) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> '${notes}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
};

const trackedFiles = (checkout: string, path: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--', path], { cwd: checkout, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

const copyFromCheckout = ({ checkout, isIgnored }: StageParts, sources: readonly string[], to: string) => {
  for (const source of sources) {
    const files = trackedFiles(checkout, source).filter((file) => !isIgnored(file));
    if (files.length === 0) {
      throw new Error(`COPY ${source}: there is no such file, or .dockerignore hides it`);
    }
    for (const file of files) {
      // The content of a folder is copied, not the folder itself.
      const target = file === source ? basename(file) : file.slice(source.length + 1);
      const path = to.endsWith('/') || file !== source ? join(to, target) : to;
      mkdirSync(dirname(path), { recursive: true });
      cpSync(join(checkout, file), path);
    }
  }
};

export const createStage = (parts: StageParts): Stage => {
  const { root, stages, notes } = parts;
  const path = [shims(join(root, '.shims'), notes), parts.environment['PATH']].join(delimiter);
  const environment: NodeJS.ProcessEnv = { ...parts.environment, PATH: path };
  let folder = root;
  const inside = (text: string): string => text.replaceAll(ABSOLUTE, `${root}/`);
  const place = (target: string): string => (target.startsWith('/') ? root + target : join(folder, target));

  const copy = (rest: string): void => {
    const words = rest.split(/\s+/);
    const from = /^--from=(.+)$/.exec(words[0]!)?.[1];
    const sources = words.slice(from === undefined ? 0 : 1, -1);
    const target = words.at(-1)!;
    const to = place(target) + (/\/$/.test(target) ? '/' : '');
    if (from === undefined) return copyFromCheckout(parts, sources, to);
    const stage = stages.get(from);
    if (!stage) throw new Error(`COPY ${rest}: there is no stage ${from}`);
    for (const source of sources) {
      cpSync(stage.root + source, to, { recursive: true, verbatimSymlinks: true });
    }
  };
  const actions: Readonly<Record<string, (rest: string) => void>> = {
    WORKDIR: (rest) => mkdirSync((folder = place(rest)), { recursive: true }),
    ENV: (rest) => {
      for (const [name, value] of Object.entries(variablesOf(rest))) environment[name] = inside(value);
    },
    COPY: copy,
    RUN: (rest) => {
      execFileSync('sh', ['-ec', inside(rest)], { cwd: folder, env: environment, stdio: 'inherit' });
    },
  };
  return {
    root,
    environment,
    inside,
    execute: ({ name, rest }) => {
      const action = actions[name];
      if (!action) throw new Error(`${name} is not known here`);
      action(rest);
    },
  };
};

/** Whether `.dockerignore` excludes a file: the last matching line decides. */
export const readDockerignore = (file: string): ((path: string) => boolean) => {
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '').replaceAll('.', '\\.');
      const regular = pattern.replace(/^\*\*\//, '(.*/)?').replaceAll(/(?<![.)])\*/g, '[^/]*');
      return { hides: !line.startsWith('!'), pattern: new RegExp(`^${regular}(/|$)`) };
    });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.hides ?? false;
};
