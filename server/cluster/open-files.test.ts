import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StartProblem } from '../cli/start-problem';
import { startS3Server, TEST_BUCKET, TEST_CREDENTIALS, type S3Server } from '../testing/s3-server';
import { temporaryFolder } from '../testing/temporary-folder';
import { parseFileLocation } from './file-location';
import { openFiles, type SharedFiles, createProbe } from './open-files';

const open = async (text: string, spool = join(temporaryFolder(), 'spool')): Promise<SharedFiles> => {
  const files = await openFiles(parseFileLocation(text, '--files'), spool);
  onTestFinished(() => files.close());
  return files;
};

const problemOf = async (opening: Promise<unknown>): Promise<string> => {
  const error: unknown = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartProblem);
  return (error as StartProblem).message;
};

const KEY = 'input/a/source.jpg';

describe('a shared folder', () => {
  it('stores files for all hosts', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await open(folder), await open(folder)];
    await one.storage.write(KEY, new Uint8Array([1]));
    expect(new Uint8Array((await other.storage.read(KEY))!)).toEqual(new Uint8Array([1]));
  });

  it('receives uploads next to its files, so that filing is a rename', async () => {
    const folder = temporaryFolder();
    const { receiving, storage } = await open(folder);
    const path = receiving.newPath();
    expect(path.startsWith(join(folder, 'input/.receiving/'))).toBe(true);
    writeFileSync(path, 'upload');
    await receiving.moveTo(path, KEY);
    expect(readFileSync(join(folder, KEY), 'utf8')).toBe('upload');
    expect((await storage.open(KEY))?.sizeBytes).toBe(6);
  });

  it('is checked in the folder from which old files are removed, in case a process is killed meanwhile', async () => {
    const folder = temporaryFolder();
    await open(folder);
    const past = new Date(0);
    for (const name of ['input', 'output']) utimesSync(join(folder, name), past, past);
    await open(folder);
    expect(['input', 'output'].map((name) => statSync(join(folder, name)).mtimeMs)).toEqual([0, 0]);
  });

  it('leaves no files of its checks', async () => {
    const folder = temporaryFolder();
    const files = await open(folder);
    expect(await files.isAvailable()).toBe(true);
    expect(readdirSync(join(folder, 'output'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('that cannot be written to is refused at the start', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(await problemOf(open(folder))).toContain('cannot be used');
  });

  it('under a file is refused at the start', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await problemOf(open(join(folder, 'file/sub')))).toContain('cannot be used');
  });

  it('is not available while another folder is in its place', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const folder = join(temporaryFolder(), 'mounted');
    const files = await open(folder);
    vi.mocked(performance.now).mockReturnValue(60_000);
    renameSync(folder, `${folder}-elsewhere`);
    expect(await files.isAvailable()).toBe(false);
    mkdirSync(folder);
    expect(await files.isAvailable()).toBe(false);
    renameSync(folder, `${folder}-empty`);
    renameSync(`${folder}-elsewhere`, folder);
    expect(await files.isAvailable()).toBe(true);
  });
});

it('the temporary folder loses what was left there for a day, and keeps folders of running jobs', async () => {
  const spool = join(temporaryFolder(), 'spool');
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const [name, atMs] of [
    ['left', dayAgo],
    ['running', new Date()],
  ] as const) {
    mkdirSync(join(spool, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(spool, name, 'source'), '');
    utimesSync(join(spool, name, 'source'), atMs, atMs);
    utimesSync(join(spool, name), dayAgo, dayAgo);
  }
  await open(temporaryFolder(), spool);
  expect(readdirSync(spool)).toEqual(['running']);
});

describe('S3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
    for (const [name, value] of Object.entries(TEST_CREDENTIALS)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });
  const urlOf = (endpoint: string, bucket: string = TEST_BUCKET): string =>
    `s3://${bucket}/cluster?endpoint=${encodeURIComponent(endpoint)}`;

  it('receives uploads in the temporary folder, and keeps none there once they are filed', async () => {
    const spool = join(temporaryFolder(), 'spool');
    const { receiving, storage } = await open(urlOf(server.endpoint), spool);
    const path = receiving.newPath();
    writeFileSync(path, 'upload');
    await receiving.moveTo(path, KEY);
    expect(readdirSync(spool)).toEqual([]);
    expect((await storage.open(KEY))?.sizeBytes).toBe(6);
  });

  it('that refuses calls is unavailable, and available again afterwards', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const files = await open(urlOf(server.endpoint));
    vi.mocked(performance.now).mockReturnValue(60_000);
    server.intercept((_request, response) => {
      response.writeHead(403).end();
      return true;
    });
    expect(await files.isAvailable()).toBe(false);
    server.intercept(undefined);
    expect(await files.isAvailable()).toBe(true);
  });

  it('that cannot remove files is refused at the start', async () => {
    server.intercept(({ method }, response) => {
      if (method !== 'POST') return false;
      response.end(
        '<DeleteResult><Error><Key>k</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>',
      );
      return true;
    });
    onTestFinished(() => server.intercept(undefined));
    expect(await problemOf(open(urlOf(server.endpoint)))).toContain(
      'S3 refuses the credentials (AccessDenied)',
    );
  });

  it('without its bucket is refused at the start', async () => {
    expect(await problemOf(open(urlOf(server.endpoint, 'nobody')))).toContain('no bucket of this name');
  });

  it('that does not answer is refused within ten seconds', { tags: ['slow'] }, async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { readonly port: number };
    const startedMs = performance.now();
    expect(await problemOf(open(urlOf(`http://127.0.0.1:${port}`)))).toContain(
      'S3 cannot be reached (TimeoutError)',
    );
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it.skipIf(process.platform === 'win32')('refuses a temporary folder that is a link', async () => {
    const folder = temporaryFolder();
    symlinkSync(temporaryFolder(), join(folder, 'link'));
    expect(await problemOf(open(urlOf(server.endpoint), join(folder, 'link')))).toContain('another user');
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('S3 over TLS', () => {
  /** A certificate for 127.0.0.1, issued by a CA of its own. */
  const issueCertificate = (folder: string): { key: string; cert: string; caPath: string } => {
    const openssl = (...args: string[]): void => {
      execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    };
    const keyArguments = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', '-x509', ...keyArguments, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA');
    openssl('req', ...keyArguments, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=s3');
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1');
    const issue = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
    openssl('x509', '-req', '-in', 'request.pem', ...issue, '-out', 'cert.pem', '-days', '2');
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem'), caPath: join(folder, 'ca.pem') };
  };

  /** Opens the files in a process of its own, because Node reads its CAs once, at the start. */
  const openInProcess = async (url: string, environment: NodeJS.ProcessEnv): Promise<string> => {
    const script = `
      const { openFiles } = await import('./server/cluster/open-files.ts');
      const { parseFileLocation } = await import('./server/cluster/file-location.ts');
      const [url, folder] = process.argv.slice(1);
      await openFiles(parseFileLocation(url, '--files'), folder).then(
        () => console.log('opened'),
        (error) => console.log(error.message),
      );
      process.exit();`;
    const args = [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
      url,
      join(temporaryFolder(), 's'),
    ];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...TEST_CREDENTIALS, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(child.stdout);
  };

  it('is used if its CA is trusted, and refused otherwise', async () => {
    const { caPath, ...tls } = issueCertificate(temporaryFolder());
    const server = await startS3Server(tls);
    onTestFinished(() => server.close());
    const url = `s3://${TEST_BUCKET}?endpoint=${server.endpoint}`;
    const [trusted, unknown] = await Promise.all([
      openInProcess(url, { NODE_EXTRA_CA_CERTS: caPath }),
      openInProcess(url, { NODE_EXTRA_CA_CERTS: undefined }),
    ]);
    expect(trusted).toBe('opened\n');
    expect(unknown).toMatch(/^The certificate of S3 is not trusted \(\w+\)/);
  });
});

describe('a probe', () => {
  it('answers although a check hangs, and starts no second one meanwhile', async () => {
    let runs = 0;
    const probe = createProbe(() => {
      runs += 1;
      return new Promise(() => undefined);
    }, 20);
    expect(await probe.isAvailable()).toBe(false);
    expect(await probe.isAvailable()).toBe(false);
    expect(runs).toBe(1);
  });

  it('checks again after a failure at once, and after a success not for a moment', async () => {
    let runs = 0;
    let isBroken = true;
    const probe = createProbe(async () => {
      runs += 1;
      if (isBroken) throw new Error('broken');
    });
    expect(await probe.isAvailable()).toBe(false);
    isBroken = false;
    expect(await probe.isAvailable()).toBe(true);
    expect(await probe.isAvailable()).toBe(true);
    expect(runs).toBe(2);
  });
});
