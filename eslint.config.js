import tseslint from 'typescript-eslint';

const TESTS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/*.spec.ts',
  '{shared,web,server}/testing/**',
  '**/test/**',
  'e2e/**',
];

/** Globals of one host, of time or of chance: shared/ takes them as a port or an argument. */
const HOST_GLOBALS = [
  ['window', 'document', 'navigator', 'self', 'location', 'localStorage', 'indexedDB', 'caches'],
  ['OffscreenCanvas', 'ImageData', 'ImageBitmap', 'Worker', 'Blob', 'File', 'Request', 'Response', 'fetch'],
  ['process', 'Buffer', 'require', 'global', 'console', 'performance', 'crypto'],
  ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame'],
]
  .flat()
  .map((name) => ({ name, message: 'shared/ is host-free: take it as a port or an argument.' }));

const CLOCK = 'The clock is a port (System.nowMs): results must repeat.';
const ROUTE = 'Paths live in shared/api/contract/routes.ts; use the client.';
const STATUS = 'Statuses live in shared/api/contract/errors.ts and routes.ts.';
const FOREIGN = 'This product talks to no other host.';
/** Anything with a host name but this machine's own and XML name spaces. */
const foreignUrl =
  '/(https?|wss?):\\/\\/(?!(www\\.w3\\.org|localhost|127\\.0\\.0\\.1)\\b)[\\w-]+(\\.[\\w-]+)+/';

const NO_CLOCK = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: CLOCK },
];
const NO_ROUTES = [
  { selector: 'Literal[value=/(^|[^\\w.])\\/v1(\\/|$)/]', message: ROUTE },
  { selector: 'TemplateElement[value.raw=/(^|[^\\w.])\\/v1(\\/|$)/]', message: ROUTE },
];
const NO_FOREIGN_URLS = [
  { selector: `Literal[value=${foreignUrl}]`, message: FOREIGN },
  { selector: `TemplateElement[value.raw=${foreignUrl}]`, message: FOREIGN },
];
const NO_STATUSES = [
  { selector: "Property[key.name='status'] > Literal[raw=/^[1-5]\\d\\d$/]", message: STATUS },
  { selector: "CallExpression[callee.property.name='code'] > Literal[raw=/^[1-5]\\d\\d$/]", message: STATUS },
];
const restrict = (...groups) => ({ 'no-restricted-syntax': ['error', ...groups.flat()] });

const EVERYWHERE = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-non-null-assertion': 'off',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  complexity: ['error', 12],
  curly: ['error', 'multi-line'],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'no-console': 'off',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
};

export default tseslint.config(
  { ignores: ['dist/**', '.cache/**', 'test-results/**', 'web/public/**', '.veil/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    // One program for all folders: what they share is read once.
    languageOptions: {
      parserOptions: { project: 'tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    rules: { ...EVERYWHERE, ...restrict(NO_ROUTES, NO_FOREIGN_URLS, NO_STATUSES) },
  },
  {
    files: ['shared/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...HOST_GLOBALS],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Results must repeat.' },
        { object: 'Date', property: 'now', message: CLOCK },
      ],
      ...restrict(NO_CLOCK, NO_ROUTES, NO_FOREIGN_URLS, NO_STATUSES),
    },
  },
  {
    files: ['shared/api/**/*.ts'],
    rules: restrict(NO_CLOCK, NO_FOREIGN_URLS, NO_STATUSES),
  },
  {
    files: ['shared/api/contract/{errors,routes}{,-decisions,-load,-subjects}.ts'],
    rules: restrict(NO_CLOCK, NO_FOREIGN_URLS),
  },
  {
    files: TESTS,
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    rules: { complexity: ['error', 12], eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error' },
  },
);
