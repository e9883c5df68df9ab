/**
 * `npm run test:image`: executes the Dockerfile's steps without a container engine, each stage in an empty folder.
 *
 * Commands run with this machine's Node and system. Skipped parts are printed: the base image, `apt-get`, users, limits
 * and volumes. The program of the last stage is started by its ENTRYPOINT, with connections to other machines refused,
 * and checked by its own HEALTHCHECK.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { freePort } from '../support/free-port';
import { samplePath } from '../support/samples';
import { listOf, parseDockerfile } from '../../server/testing/dockerfile';
import { megabytesOf, strangersEnvironment } from './installed-package';
import { createStage, readDockerignore, type Stage } from './stage';

endWhenOutputCloses();

const ROOT = join(import.meta.dirname, '../..');
const START_LIMIT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'veil-image-'));
const notes = join(folder, 'not-tried');
const note = (line: string): void => writeFileSync(notes, `${line}\n`, { flag: 'a' });

/** Instructions about running an image, which do not change its files. */
interface Runtime {
  healthcheck: string;
  entrypoint: string;
}

const runStages = (): readonly [Stage, Runtime] => {
  const stages = new Map<string, Stage>();
  const isIgnored = readDockerignore(join(ROOT, '.dockerignore'));
  const runtime: Runtime = { healthcheck: '', entrypoint: '' };
  let stage: Stage | undefined;
  for (const { name, rest } of parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))) {
    console.log(`\n${name} ${rest}`);
    if (name === 'FROM') {
      const [image = '', , alias = `stage-${stages.size}`] = rest.split(' ');
      note(`FROM ${image}: Node ${process.version} of this machine instead`);
      const root = join(folder, alias);
      mkdirSync(root);
      stage = createStage({
        ...{ root, checkout: ROOT, isIgnored, stages, notes },
        environment: strangersEnvironment(),
      });
      stages.set(alias, stage);
    } else if (name === 'HEALTHCHECK') runtime.healthcheck = rest;
    else if (name === 'ENTRYPOINT') runtime.entrypoint = rest;
    else if (['ARG', 'USER', 'VOLUME', 'EXPOSE'].includes(name)) note(`${name} ${rest}`);
    else stage!.execute({ name, rest });
  }
  return [stage!, runtime];
};

const startImage = async (stage: Stage, { entrypoint, healthcheck }: Runtime): Promise<void> => {
  const refused = join(folder, 'refused');
  writeFileSync(refused, '');
  const env = {
    ...stage.environment,
    // The container's own port may be in use here, and an address that other machines can reach needs a token.
    VEIL_PORT: String(await freePort()),
    VEIL_TOKEN: 'token-of-this-trial-alone',
    VEIL_REFUSED: refused,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'refuse-network.mjs')}`,
  };
  const [program, ...args] = listOf(entrypoint).map(stage.inside);
  console.log(`\nStarting ${[program, ...args].join(' ')}`);
  const child = spawn(program!, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [check, ...checkArgs] = listOf(healthcheck.slice(healthcheck.indexOf('CMD')));
  const giveUpAt = Date.now() + START_LIMIT_MS;
  let health: number | null = null;
  while (health !== 0 && child.exitCode === null && Date.now() < giveUpAt) {
    health = spawnSync(check!, checkArgs, { env }).status;
  }
  const page = await fetch(`http://127.0.0.1:${env.VEIL_PORT}/`).catch(() => undefined);
  console.log(`HEALTHCHECK ended with ${health}, the page answers ${page?.status ?? 'nothing'}`);
  child.kill('SIGTERM');
  const status = await ended;
  const hosts = readFileSync(refused, 'utf8');
  console.log(
    `Stopped with status ${status}; other machines that it wanted to reach: ${hosts.trim() || 'none'}`,
  );
  if (health !== 0 || !page?.ok || status !== 0 || hosts !== '') process.exitCode = 1;
};

/** Like `docker run veil /photos -a face`. */
const runBatch = (stage: Stage, { entrypoint }: Runtime): void => {
  const photos = join(stage.root, 'photos');
  mkdirSync(photos);
  copyFileSync(samplePath(1), join(photos, 'photo.jpg'));
  const [program, ...args] = listOf(entrypoint).map(stage.inside);
  const { status } = spawnSync(program!, [...args, photos, '-a', 'face'], {
    env: stage.environment,
    stdio: 'inherit',
  });
  const isDone = existsSync(join(stage.environment['VEIL_OUTPUT']!, 'photo.jpg'));
  console.log(`A folder of one photo: status ${status}, the result is ${isDone ? 'there' : 'missing'}`);
  if (status !== 0 || !isDone) process.exitCode = 1;
};

try {
  const [stage, runtime] = runStages();
  await startImage(stage, runtime);
  runBatch(stage, runtime);
  console.log(`\nThe last stage adds ${megabytesOf(stage.root)} MB to its image.`);
  console.log(`\nNot tried:\n${readFileSync(notes, 'utf8')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
