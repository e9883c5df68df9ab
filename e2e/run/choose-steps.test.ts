import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { chooseSteps } from './choose-steps';
import { isThis, NODE_VERSIONS } from './node-versions';
import { CHECKS, FULL_TESTS, TESTS } from './steps';

describe('npm test', () => {
  it('runs every step without arguments', () => {
    expect(chooseSteps([])).toEqual({ checks: CHECKS, tests: TESTS });
  });

  it('runs every static step, and no other, with the argument `check`', () => {
    expect(chooseSteps(['check'])).toEqual({ checks: CHECKS, tests: [] });
  });

  it('runs all tests, and those on other versions of Node, with the argument `full`', () => {
    expect(chooseSteps(['full'])).toEqual({ checks: CHECKS, tests: FULL_TESTS });
    const others = NODE_VERSIONS.filter((version) => !isThis(version)).map(
      (version) => `tests on Node ${version}`,
    );
    expect(others.length).toBeGreaterThanOrEqual(NODE_VERSIONS.length - 1);
    expect(FULL_TESTS.map(({ name }) => name)).toEqual(expect.arrayContaining(['all tests', ...others]));
  });

  it('runs only the named steps', () => {
    const { checks, tests } = chooseSteps(['format', 'build: page']);
    expect([...checks, ...tests].map(({ name }) => name)).toEqual(['format', 'build: page']);
  });

  it('refuses an unknown name with a list of the known ones', () => {
    expect(() => chooseSteps(['typos'])).toThrow(
      /No step is called typos\. Steps: check, full, lint and types, imports,/,
    );
  });
});

describe('the scripts of package.json', () => {
  it('name steps that exist', () => {
    const calls = Object.values(manifest.scripts).filter((script) => script.startsWith('tsx e2e/run/all.ts'));
    const names = calls.map((script) =>
      [...script.matchAll(/(?<=\s)(?:"([^"]+)"|(\w+)(?=\s|$))/g)].map((m) => m[1] ?? m[2]!),
    );
    expect(names.length).toBeGreaterThan(2);
    for (const each of names) expect(() => chooseSteps(each)).not.toThrow();
  });
});
