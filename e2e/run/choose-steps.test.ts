import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { chooseSteps } from './choose-steps';
import { CHECKS, TESTS } from './steps';

describe('what npm test runs', () => {
  it('is every step where none is named', () => {
    expect(chooseSteps([])).toEqual({ checks: CHECKS, tests: TESTS });
  });

  it('is every static step, and no other, where `check` is named', () => {
    expect(chooseSteps(['check'])).toEqual({ checks: CHECKS, tests: [] });
  });

  it('is the named steps alone', () => {
    const { checks, tests } = chooseSteps(['types', 'build: page']);
    expect([...checks, ...tests].map(({ name }) => name)).toEqual(['types', 'build: page']);
  });

  it('is refused with the known names where a name is unknown', () => {
    expect(() => chooseSteps(['typos'])).toThrow(/No step is called typos\. Steps: check, lint, types,/);
  });
});

describe('the scripts of package.json', () => {
  it('name steps that exist', () => {
    const calls = Object.values(manifest.scripts).filter((script) => script.startsWith('tsx e2e/run/all.ts'));
    const names = calls.map((script) =>
      [...script.matchAll(/(?<=\s)(?:"([^"]+)"|(\w+)(?=\s|$))/g)].map((m) => m[1] ?? m[2]!),
    );
    expect(names.length).toBeGreaterThan(3);
    for (const each of names) expect(() => chooseSteps(each)).not.toThrow();
  });
});
