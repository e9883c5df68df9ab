import { expect, it } from 'vitest';
import type { ListedTopic, TopicKind } from '#shared/domain/bag';
import { bagOptionsOf, choicesOf, isPart, undecided, type BagPart } from './bag-choices';

const topic = (kind: TopicKind, name: string = kind): ListedTopic => ({
  ...{ name, kind, schemas: [], encodings: [], messages: 1, durationS: 0 },
});
const ALL = [topic('images'), topic('depth'), topic('unread'), topic('other')];

it('somebody has to choose for topics that show something and are not anonymised', () => {
  expect(undecided(ALL, {})).toEqual(['depth', 'unread']);
  expect(undecided(ALL, { depth: 'drop', unread: 'keep' })).toEqual([]);
  for (const kind of ['depth', 'unread'] as const) expect(choicesOf({ kind })).not.toContain('hide');
});

it('the name of a topic cannot be taken for a choice', () => {
  expect(undecided([topic('unread', 'constructor')], {})).toEqual(['constructor']);
});

it('choices become the options of the command line; what shows nothing need not be named to stay', () => {
  expect(bagOptionsOf(ALL, { depth: 'keep', unread: 'drop' }, false)).toEqual({
    ...{ dropTopics: ['unread'], keepTopics: ['depth'], keepDepth: false, keepAttachments: false },
  });
  const choices = { images: 'keep', depth: 'drop', unread: 'drop', other: 'drop' } as const;
  expect(bagOptionsOf(ALL, choices, true, { startS: 1.5 })).toEqual({
    ...{ dropTopics: ['depth', 'unread', 'other'], keepTopics: ['images'] },
    ...{ keepDepth: false, keepAttachments: true, startS: 1.5 },
  });
});

it('a part begins within the bag, and before it ends', () => {
  const are = (...parts: BagPart[]) => parts.map((part) => isPart(part, { durationS: 10 }));
  expect(are({}, { startS: 10 }, { endS: 99 }, { startS: 1, endS: 2 })).toEqual([true, true, true, true]);
  expect(are({ startS: -1 }, { startS: 11 }, { endS: 0 }, { startS: 2, endS: 2 })).toEqual([
    ...[false, false, false, false],
  ]);
});
