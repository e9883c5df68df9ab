const TEST = '([.](test|spec)[.]tsx?$|/test/|^(shared|web|server)/testing/)';
const npm = (...names) => `^node_modules/(@types/)?(${names.join('|')})(/|$)`;
/**
 * Packages of shared/: those that use nothing but the language itself, so that they do the same in a page, in a worker
 * and in Node. See docs/decisions/0026-hand-written-code.md.
 */
const HOST_INDEPENDENT = [
  'typebox', // schemas: checks values, and makes the API's description
  'fflate', // inflates what is packed in TIFF
  'wasmati', // assembles the kernels; with its only dependency, ieee754
  're2js', // regular expressions that take linear time
  'p-limit', // so many at a time, the others in order; with its only dependency, yocto-queue
];
const except = (...names) => `^node_modules/(?!(${names.join('|')})/)`;
const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Folders of `shared/`: each imports only those before it. See docs/ARCHITECTURE.md. */
const SHARED = ['catalogue', 'domain', 'ports', 'report', 'engine', 'media', 'threads', 'tasks', 'api'];
const ENGINE = [
  'formats',
  'runtime',
  'sound',
  'kernels',
  'pixels',
  'colour',
  'decode',
  'inference',
  'fusion',
  'heads',
  'packs',
  'detect',
  'plates',
  'text',
  'reading',
  'masks',
  'motion',
  'track',
  'search',
  'redact',
  'subjects',
  'segments',
  'edits',
  'given',
  'video',
];
const TASKS = ['base', 'files', 'webhook', 'subjects', 'run', 'accept', 'edits', 'jobs'];
const API = ['contract', 'http', 'handlers'];

/** One rule for each folder: it does not import folders after it, nor the files of the folder above them all. */
const order = (parent, folders) =>
  folders.map((folder, index) =>
    error(
      `order-of-${parent.replace('/', '-')}-${folder}`,
      `${parent}/${folder} may import only what stands before it in docs/ARCHITECTURE.md.`,
      { path: `^${parent}/${folder}/`, pathNot: TEST },
      {
        path: [
          `^${parent}/[^/]+$`,
          ...(index + 1 < folders.length ? [`^${parent}/(${folders.slice(index + 1).join('|')})/`] : []),
        ],
      },
    ),
  );

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    error('no-cycles', 'A file can be read without the file that reads it.', {}, { circular: true }),
    error(
      'resolvable',
      'Every import leads somewhere.',
      { pathNot: '^server/bin/' },
      { couldNotResolve: true, pathNot: ['[?](url|raw|sections)$', '^virtual:'] },
    ),
    error(
      'shared-is-pure',
      'shared/ runs in page, worker and Node alike: no host, and of npm packages those that know none either.',
      { path: '^shared/', pathNot: [TEST, '^shared/(media|threads)/'] },
      { path: ['^(web|server|models|e2e)/', except(...HOST_INDEPENDENT)] },
    ),
    error(
      'media-is-mediabunny-alone',
      'The one folder of shared/ that knows WebCodecs.',
      { path: '^shared/media/', pathNot: TEST },
      { path: ['^(web|server|models|e2e)/', except(...HOST_INDEPENDENT, 'mediabunny')] },
    ),
    error(
      'threads-are-comlink-alone',
      'The one folder of shared/ that knows threads: what it sends, it sends in page, worker and Node alike.',
      { path: '^shared/threads/', pathNot: TEST },
      { path: ['^(web|server|models|e2e)/', except('comlink')] },
    ),
    error(
      'comlink-only-between-threads',
      'Its other end follows every property path: it is no border between processes.',
      { path: '^(shared|web|server)/', pathNot: ['^shared/threads/', TEST] },
      { path: npm('comlink') },
    ),
    error(
      'shared-without-node',
      'Node is a host.',
      { path: '^shared/', pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    error(
      'shared-tests-without-hosts',
      'What is tested against both hosts imports neither.',
      { path: '^shared/' },
      { path: '^(web|server|e2e)/' },
    ),
    ...order('shared', SHARED),
    ...order('shared/engine', ENGINE),
    ...order('shared/tasks', TASKS),
    ...order('shared/api', API),
    error(
      'ports-are-types',
      'A port is an interface.',
      { path: '^shared/ports/' },
      { dependencyTypesNot: ['type-only'] },
    ),
    error(
      'playwright-without-json',
      'Playwright loads its tests into Node without a bundler, where `domain/version.ts` cannot import package.json.',
      { path: ['^shared/tasks/base/settings[.]ts$', '^e2e/(?!packaging/|python-tools/).*[.]spec[.]ts$'] },
      { path: '^package[.]json$', reachable: true },
    ),
    error(
      'web-without-server',
      'The hosts know nothing of each other.',
      { path: '^web/' },
      { path: '^(server|models/(build|eval)|e2e)/' },
    ),
    error(
      'server-without-web',
      'The hosts know nothing of each other.',
      { path: '^server/' },
      { path: '^(web|models/(build|eval)|e2e)/' },
    ),
    error(
      'web-without-node',
      'The page runs in a browser.',
      { path: '^web/', pathNot: [TEST, '^web/build/'] },
      { dependencyTypes: ['core'] },
    ),
    error(
      'runtimes-only-in-adapters',
      'A runtime is replaced in one file.',
      {
        path: '^(shared|web|server)/',
        pathNot: ['^(web|server)/(adapters|workers)/', '^web/build/', '^shared/media/', TEST],
      },
      {
        path: npm(
          'onnxruntime-node',
          'onnxruntime-web',
          'onnxruntime-common',
          'sharp',
          'libsql',
          'libheif-js',
          'mediabunny',
          '@napi-rs/webcodecs',
          '@ffmpeg/.*',
        ),
      },
    ),
    error(
      'worker-bridges-only-at-the-edge',
      'Who calls an engine does not know that it lives in a worker.',
      { path: '^(shared|web|server)/', pathNot: ['^(web|server)/(adapters|workers)/', TEST] },
      { path: npm('piscina') },
    ),
    error(
      'services-only-by-import-at-run-time',
      'Without a role, the server starts without the clients of other services.',
      { path: '^server/', pathNot: TEST },
      { path: npm('bullmq', 'ioredis'), dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    error(
      'msw-only-in-web-host',
      'The page offers the API to others through it; our own code calls dispatch.',
      { pathNot: ['^web/host/', TEST] },
      { path: npm('msw') },
    ),
    error(
      'fastify-only-in-server-host',
      'Fastify moves bytes and decides nothing.',
      { pathNot: ['^server/(http/|app[.]ts|main[.]ts)', TEST] },
      { path: npm('fastify', '@fastify') },
    ),
    error(
      'react-only-in-the-app',
      'Screens are replaced without touching what they show.',
      { path: '^(shared|server|web)/', pathNot: ['^web/(app|docs|state)/', '^web/[^/]+[.]tsx?$', TEST] },
      { path: npm('react', 'react-dom') },
    ),
    error(
      'ui-only-through-the-client',
      'With "use a server" the same screens speak HTTP.',
      { path: '^web/(app|docs|state)/', pathNot: TEST },
      {
        path: ['^web/(adapters|workers|host)/', '^shared/(engine|ports|tasks)/'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    error(
      'production-without-tests',
      'Fakes and fixtures stay out of the product.',
      { path: '^(shared|web|server|models)/', pathNot: TEST },
      { path: ['^((shared|web|server)/testing|e2e)/', '[.](test|spec)[.]tsx?$', '/test/'] },
    ),
    error(
      'declared-packages',
      'What the product imports is named in package.json.',
      {
        path: '^(shared|web|server)/',
        pathNot: [TEST, 'vite[.]config[.]ts$', '^(web|server)/(build|bin)/', '^server/packaging/'],
      },
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    ),
    error(
      'server-without-dev-tools',
      'What the server imports is installed with it, or bundled into it (server/vite.config.ts).',
      { path: '^server/', pathNot: [TEST, 'vite[.]config[.]ts$', '^server/(build|bin|packaging)/'] },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: [
          '^node_modules/@types/',
          npm('bullmq', 'fflate', 'mediabunny', 'onnxruntime-node', 'pbf', 'prom-client', 'typebox', 'yaml'),
          npm('@aws-sdk/client-s3', '@aws-sdk/lib-storage'),
        ],
      },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^web/public/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
